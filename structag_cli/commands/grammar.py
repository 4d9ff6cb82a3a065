"""``structag grammar``: the grammar files, their list and their JSON Schema."""

from __future__ import annotations

import json
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    help="Grammar files: one a wire format.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class GrammarFormat(str, Enum):
    """How a grammar is printed."""

    text = "text"
    yaml = "yaml"
    json = "json"


@app.command()
def schema() -> None:
    """Print the JSON Schema of grammar files."""
    from structag_cli.commands.output import write
    from structag_cli.formats.schema import grammar_schema

    write(json.dumps(grammar_schema(), ensure_ascii=False, indent=2), None)


@app.command(name="list")
def list_formats(
    format: Annotated[
        GrammarFormat, typer.Option("--format", "-f", help="text, yaml or json.")
    ] = GrammarFormat.text,
) -> None:
    """List the shipped formats."""
    from structag_cli.commands.output import write
    from structag_cli.emit import emit
    from structag_cli.formats.registry import grammars

    rows = [(g.format, g.title, g.engine_names()) for g in grammars()]
    if format is GrammarFormat.text:
        width = max(len(row[0]) for row in rows)
        write("\n".join(f"{name.ljust(width)}  {title}" for name, title, _ in rows), None)
        return
    keys = ("format", "title", "names")
    values = [dict(zip(keys, (n, t, list(names)), strict=True)) for n, t, names in rows]
    write(emit({"version": 1, "formats": values}, format.value), None)


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="A format, a parser name, or a grammar file.")],
    format: Annotated[
        GrammarFormat, typer.Option("--format", "-f", help="text, yaml (the file) or json.")
    ] = GrammarFormat.text,
) -> None:
    """Show one grammar; a file is read and checked."""
    import msgspec

    from structag_cli.commands.output import write
    from structag_cli.emit import emit
    from structag_cli.formats.describe import describe
    from structag_cli.formats.registry import grammar_path, read_grammar

    path = Path(name) if Path(name).is_file() else grammar_path(name)
    grammar = read_grammar(path)
    if format is GrammarFormat.yaml:
        write(path.read_text(encoding="utf-8"), None)
    elif format is GrammarFormat.json:
        write(emit(msgspec.to_builtins(grammar), "json"), None)
    else:
        write(f"{grammar.format}: {grammar.title}\n{describe(grammar)}", None)
