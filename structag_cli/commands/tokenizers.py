"""``structag tokenizers`` and ``structag cache``: what is at hand, and what is kept."""

from __future__ import annotations

from typing import Annotated

import typer

from structag_cli.commands.output import talk, write

cache = typer.Typer(name="cache", help="Prepared tokenizers kept on disk.", no_args_is_help=True)


def tokenizers(
    json_format: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write to this file instead of stdout.")
    ] = None,
) -> None:
    """List the tokenizers at hand: packaged ones, and hub ids in the local cache."""
    import json

    from structag_cli.tokenizers.inventory import inventory

    rows = inventory()
    if json_format:
        values = [row.to_json() for row in rows]
        write(json.dumps({"version": 1, "tokenizers": values}, indent=2), output)
        return
    lines = [f"{row.name:<28} {row.what}  ({row.where})" for row in rows]
    lines.append("")
    lines.append(
        "Also: a folder or a file (tokenizer.json, tekken.json, *.tiktoken, *.model, *.gguf)."
    )
    write("\n".join(lines), output)


@cache.command()
def info() -> None:
    """Where the cache is and how large."""
    from structag_cli.tokenizers.cache import DiskCache, default_root

    found = DiskCache(default_root()).info()
    write(f"{found.root}: {found.entries} entries, {found.bytes / 1e6:.1f} MB", None)


@cache.command()
def clear() -> None:
    """Remove every prepared tokenizer."""
    from structag_cli.tokenizers.cache import DiskCache, default_root

    found = DiskCache(default_root()).clear()
    talk(f"removed {found.entries} entries, {found.bytes / 1e6:.1f} MB, from {found.root}")
