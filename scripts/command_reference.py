"""Writes docs/reference/commands.md from the commands themselves; --check only compares."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from structag_cli.cli import make_app

TARGET = Path(__file__).resolve().parent.parent / "docs" / "reference" / "commands.md"
HEAD = """# Commands

Made by `scripts/command_reference.py` from the commands' own help.

"""


def sections(command: Any, path: str) -> Iterator[str]:
    context = command.make_context(path, [], resilient_parsing=True)
    context.info_name = path
    context.terminal_width = 100
    context.max_content_width = 100
    yield f"## `{path}`\n\n```text\n{command.get_help(context).rstrip()}\n```\n"
    for name, child in getattr(command, "commands", {}).items():
        if not child.hidden:
            yield from sections(child, f"{path} {name}")


def reference() -> str:
    return HEAD + "\n".join(sections(typer.main.get_command(make_app()), "structag"))


def main() -> int:
    text = reference()
    if "--check" not in sys.argv:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    if TARGET.exists() and TARGET.read_text(encoding="utf-8") == text:
        return 0
    print(f"{TARGET.name} is out of date: run scripts/command_reference.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
