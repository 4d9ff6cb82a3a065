"""``structag parsers``: the parser names, and one in full."""

from __future__ import annotations

import json
from enum import Enum
from typing import Annotated, Any

import typer


class ParsersFormat(str, Enum):
    """How the list is printed."""

    text = "text"
    json = "json"


def parsers(
    name: Annotated[
        str | None, typer.Argument(help="One parser, in full: its format, bans and facts.")
    ] = None,
    profile: Annotated[
        str | None, typer.Option("--profile", help="Whose support. [default: dynamo-1.3]")
    ] = None,
    format: Annotated[
        ParsersFormat, typer.Option("--format", "-f", help="text for people, json for scripts.")
    ] = ParsersFormat.text,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write to this file instead of stdout.")
    ] = None,
) -> None:
    """List every known parser name, or show one in full."""
    from structag_cli.commands.output import write
    from structag_cli.formats.catalog import catalog
    from structag_cli.formats.registry import unknown_parser
    from structag_cli.policy.profiles import profile_named
    from structag_cli.policy.settings import DEFAULT_PROFILE

    chosen = profile_named(profile or DEFAULT_PROFILE).name
    entries = [e for e in catalog(chosen) if name is None or e.name == name]
    if not entries:
        raise unknown_parser(name or "")
    if format is ParsersFormat.json:
        value = {"version": 1, "profile": chosen, "parsers": [e.to_json() for e in entries]}
        write(json.dumps(value, ensure_ascii=False, indent=2), output)
    elif name is None:
        write(_table(entries), output)
    else:
        write("\n\n".join(_in_full(entry) for entry in entries), output)


_HEAD = ("PARSER", "FORMAT", "ENGINES", "TAG", "BAN", "REASONING", "BAN STRINGS")


def _table(entries: list[Any]) -> str:
    rows = [_HEAD, *(_row(entry) for entry in entries)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEAD))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def _row(entry: Any) -> tuple[str, ...]:
    return (
        entry.name,
        entry.format or "-",
        ",".join(entry.engines),
        _yes(entry.tag),
        _yes(entry.ban),
        _yes(entry.reasoning),
        " ".join(entry.ban_tokens or entry.ban_strings) or "-",
    )


def _yes(value: bool) -> str:
    return "yes" if value else "-"


def _in_full(entry: Any) -> str:
    from structag_cli.formats.describe import describe
    from structag_cli.formats.registry import grammar_of_format

    lines = [
        f"{entry.name}: {entry.title}",
        f"  format       {entry.format or 'no grammar file'}",
        f"  engines      {', '.join(entry.engines)}",
        f"  aliases      {', '.join(entry.aliases) or '-'}",
        f"  tag          {_yes(entry.tag)}",
        f"  ban          {_yes(entry.ban)}",
        f"  reasoning    {_yes(entry.reasoning)}",
    ]
    if entry.format is not None:
        lines.append(describe(grammar_of_format(entry.format)))
    return "\n".join(lines)
