"""`python -m benchmarks [NAME...]`: run, print, and write docs/benchmarks.md when all ran."""

from __future__ import annotations

import importlib
import os
import platform
import sys
from pathlib import Path

from benchmarks.table import markdown

NAMES = ("start", "replay", "mask", "generate")
TARGET = Path(__file__).parent.parent / "docs" / "benchmarks.md"


def main(chosen: list[str]) -> None:
    parts = []
    for name in chosen or NAMES:
        module = importlib.import_module(f"benchmarks.{name}")
        title = (module.__doc__ or name).strip().splitlines()[0].rstrip(".")
        parts.append(f"## {title}\n\n{markdown(module.results())}\n")
        print(parts[-1])
    if not chosen:
        TARGET.write_text(_page(parts), encoding="utf-8")


def _page(parts: list[str]) -> str:
    machine = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    head = (
        "# Benchmarks\n\n"
        "`make bench` runs these and writes this page. Each figure is measured against a named "
        f"peer in the same run. Last run: {machine}.\n"
    )
    return "\n".join([head, *parts])


if __name__ == "__main__":
    main(sys.argv[1:])
