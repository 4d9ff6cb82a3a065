"""``structag show``: a saved tag, readable."""

from __future__ import annotations

import os
import shutil
import sys
from enum import Enum
from typing import Annotated, Any

import typer


class ShowFormat(str, Enum):
    """How the tag is printed."""

    text = "text"
    tree = "tree"
    examples = "examples"
    json = "json"
    yaml = "yaml"
    ebnf = "ebnf"


def show(
    file: Annotated[
        str, typer.Argument(help="A tag, or a request that carries one; - for stdin.")
    ] = "-",
    format: Annotated[
        ShowFormat,
        typer.Option("--format", "-f", help="text is the tree, then outputs that it accepts."),
    ] = ShowFormat.text,
    examples: Annotated[
        int, typer.Option("--examples", "-n", min=0, help="How many example outputs.")
    ] = 3,
    show_all: Annotated[
        bool, typer.Option("--all", help="Every tag and property, however many.")
    ] = False,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write to this file instead of stdout.")
    ] = None,
) -> None:
    """Show a saved tag as a tree, as EBNF, or by outputs that it accepts."""
    from structag_cli.commands.output import write
    from structag_cli.emit import emit
    from structag_cli.emit.finding import tag_of
    from structag_cli.sources import read_document

    document = read_document(file)
    found = tag_of(document)
    if format in (ShowFormat.json, ShowFormat.yaml):
        write(emit(found.tag, format.value), output)
        return
    fault = found.fault_error(document)
    if format is ShowFormat.ebnf:
        if fault is not None:
            raise fault
        write(emit(found.tag, "ebnf"), output)
        return
    write(_readable(found.tag, format, examples, show_all, output), output)
    if fault is not None:
        raise fault


def _readable(
    tag: dict[str, Any] | None, format: ShowFormat, count: int, show_all: bool, output: str | None
) -> str:
    """The tree, the examples, or the one above the other."""
    if tag is None:
        from structag_cli.emit.formats import NO_TAG

        return NO_TAG
    parts = []
    if format is not ShowFormat.examples:
        parts.append(_tree(tag, show_all, output))
    if format is not ShowFormat.tree and count:
        parts.append(_examples(tag, count))
    return "\n\n".join(parts)


def _tree(tag: dict[str, Any], show_all: bool, output: str | None) -> str:
    from structag_cli.emit import emit

    terminal = output is None and sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else None
    color = terminal and not os.environ.get("NO_COLOR")
    return emit(tag, "tree", show_all=show_all, color=color, width=width)


def _examples(tag: dict[str, Any], count: int) -> str:
    """Example outputs, each with a rule above it; a note where there are fewer."""
    from structag_cli.emit.examples import example_outputs
    from structag_cli.emit.words import printable

    found = example_outputs(tag, count)
    blocks = [
        f"--- accepted output {number}\n{printable(text) or '(empty)'}"
        for number, text in enumerate(found.texts, 1)
    ]
    blocks += [f"--- note: {printable(note)}" for note in found.notes]
    return "\n".join(blocks)
