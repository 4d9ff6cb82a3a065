"""``structag init``: a deployment, worker arguments and a request that fit together."""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from structag_cli.commands.options import SchemaName, ScopeName
from structag_cli.errors import InputError, UsageError
from structag_cli.place import Place

if TYPE_CHECKING:
    from structag_cli.scaffold.parts import Answers


class Engine(str, Enum):
    """Engines that Dynamo runs."""

    sglang = "sglang"
    vllm = "vllm"
    trtllm = "trtllm"


class Part(str, Enum):
    """What is printed."""

    manifest = "manifest"
    args = "args"
    script = "script"
    request = "request"


class Release(str, Enum):
    """Dynamo releases, by their flags."""

    r13 = "1.3"
    r16 = "1.6"


def init(
    model: Annotated[
        str | None, typer.Option("--model", "-m", help="The model, as the worker loads it.")
    ] = None,
    parser: Annotated[
        str | None,
        typer.Option("--parser", "-p", help="Tool-call parser. [default: the model's]"),
    ] = None,
    engine: Annotated[Engine, typer.Option("--engine", help="The engine.")] = Engine.sglang,
    scope: Annotated[ScopeName, typer.Option("--scope", help="When tags apply.")] = ScopeName.auto,
    schema: Annotated[
        SchemaName, typer.Option("--schema", help="Whose arguments must satisfy their schema.")
    ] = SchemaName.auto,
    keep_tools: Annotated[
        bool,
        typer.Option("--keep-tools", help="Tools stay in the prompt on none: a stable prefix."),
    ] = False,
    reasoning_parser: Annotated[
        str | None, typer.Option("--reasoning-parser", help="For a model that thinks.")
    ] = None,
    release: Annotated[
        Release, typer.Option("--release", help="Dynamo's release: which flags it has.")
    ] = Release.r13,
    part: Annotated[Part, typer.Option("--part", help="What to print.")] = Part.manifest,
    into: Annotated[
        str | None,
        typer.Option("--into", help="Print this manifest with the flags set; all else stays."),
    ] = None,
    worker: Annotated[str | None, typer.Option("--worker", help="Which worker of --into.")] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            help="Write here: a folder for all parts, or with --into or --part a file.",
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the result.")] = False,
) -> None:
    """Write a deployment that uses structural tags: manifest, arguments, a request.

    On a terminal it asks for what the options leave open.
    """
    from structag_cli.commands.output import talk, write

    asked = _answers(model, parser, engine, into)
    answers = _complete(asked, scope, schema, keep_tools, reasoning_parser, release)
    if not answers.tags:
        talk(
            f"{answers.parser} has no structural tag in Dynamo {release.value}: "
            "the worker gets the parser alone",
            quiet=quiet,
        )
    if into is not None:
        write(_edited(into, worker, answers), output)
    elif output is not None and (Path(output).is_dir() or not Path(output).suffix):
        _write_all(answers, Path(output), quiet)
    else:
        write(_part(part, answers), output)


def _answers(
    model: str | None, parser: str | None, engine: Engine, into: str | None
) -> tuple[str, str, Engine]:
    """Model, parser and engine, asked for where nothing says them."""
    from structag_cli.scaffold.models import parsers_for

    talks = sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()
    if model is None and (into is None or parser is None) and talks:
        model = str(typer.prompt("Model", err=True))
    if parser is None:
        if model is None:
            raise UsageError("no model given", mend="--model NAME, or --parser with --into")
        family = parsers_for(model)
        guess = "" if family is None else family.parser
        if talks:
            parser = str(typer.prompt("Tool-call parser", default=guess or None, err=True))
        elif not guess:
            raise UsageError(
                f"no parser is known for {model}",
                mend="--parser NAME; `structag parsers` lists them",
            )
        else:
            parser = guess
    if model is None and into is None:
        raise UsageError("no model given", mend="--model NAME")
    return model or "", parser, engine


def _complete(
    asked: tuple[str, str, Engine],
    scope: ScopeName,
    schema: SchemaName,
    keep_tools: bool,
    reasoning: str | None,
    release: Release,
) -> Answers:
    from structag_cli.deployments.flags import FLAGS, PARSER, REASONING
    from structag_cli.deployments.values import BadValue, read_value
    from structag_cli.lint.deployments import supported
    from structag_cli.policy.settings import DEFAULT_PROFILE
    from structag_cli.scaffold.parts import Answers

    model, parser, engine = asked
    for flag, value in ((PARSER, parser), (REASONING, reasoning)):
        try:
            read_value(FLAGS[flag], value) if value is not None else None
        except BadValue as bad:
            raise UsageError(bad.message, mend=bad.mend) from None
    return Answers(
        model=model,
        parser=parser,
        engine=engine.value,
        scope=scope.value,
        schema=schema.value,
        keep_tools=keep_tools,
        reasoning=reasoning,
        newer=release is Release.r16,
        tags=supported(parser, DEFAULT_PROFILE),
    )


def _edited(path: str, worker: str | None, answers: Answers) -> str:
    from structag_cli.scaffold.edit import with_flags
    from structag_cli.scaffold.parts import flag_values
    from structag_cli.sources import read_text

    return with_flags(read_text(path), path, worker, flag_values(answers))


def _part(part: Part, answers: Answers) -> str:
    from structag_cli.scaffold import parts

    if part is Part.args:
        import shlex

        return shlex.join(parts.arguments(answers))
    made = {Part.manifest: parts.manifest, Part.script: parts.script, Part.request: parts.request}
    return made[part](answers)


def _write_all(answers: Answers, folder: Path, quiet: bool) -> None:
    from structag_cli.commands.output import talk, write
    from structag_cli.scaffold import parts

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as err:
        raise InputError(f"cannot write: {err.strerror}", place=Place(str(folder))) from None
    for name, made in (
        ("deployment.yaml", parts.manifest),
        ("worker.sh", parts.script),
        ("request.json", parts.request),
    ):
        write(made(answers), str(folder / name))
        talk(f"wrote {folder / name}", quiet=quiet)
