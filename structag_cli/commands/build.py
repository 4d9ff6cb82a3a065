"""``structag build``: the structural tag for a parser, tools and a request."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

from structag_cli.commands.options import RequestFlags, with_request_flags
from structag_cli.errors import ExitCode


class BuildFormat(str, Enum):
    """How the tag is printed."""

    json = "json"
    yaml = "yaml"
    tree = "tree"
    ebnf = "ebnf"


class EngineName(str, Enum):
    """Engines whose request field can carry the tag."""

    openai = "openai"
    vllm = "vllm"
    sglang = "sglang"
    trtllm = "trtllm"
    dynamo = "dynamo"


@with_request_flags
def build(
    flags: RequestFlags,
    format: Annotated[
        BuildFormat, typer.Option("--format", "-f", help="How to print the tag.")
    ] = BuildFormat.json,
    engine: Annotated[
        EngineName | None,
        typer.Option("--for", help="Wrap the tag as this engine's request field."),
    ] = None,
    require_tag: Annotated[
        bool, typer.Option("--require-tag", help="Exit 1 where no tag applies.")
    ] = False,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write to this file instead of stdout.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the result.")] = False,
) -> None:
    """Build the structural tag that the engine receives.

    Prints the tag on stdout, or null with the reason on stderr where none applies.
    """
    from structag_cli.commands.inputs import load
    from structag_cli.commands.output import talk, write
    from structag_cli.emit import emit, payload

    inputs = load(flags)
    answer = inputs.answer()
    inputs.say_warnings(quiet=quiet)
    tag = None if answer.tag is None else answer.tag.to_json()
    value = payload(tag, engine.value) if engine is not None and tag is not None else tag
    write(emit(value, format.value), output)
    if tag is None:
        talk(f"no tag: {answer.decision.reason}", quiet=quiet)
        if require_tag:
            raise typer.Exit(int(ExitCode.FAILED))
