"""``structag explain``: the decision, and why."""

from __future__ import annotations

import json
import sys
from enum import Enum
from typing import Annotated, Any, TextIO

import typer

from structag_cli.commands.options import RequestFlags, with_request_flags
from structag_cli.errors import ExitCode, InputError, UsageError


class ExplainFormat(str, Enum):
    """How the explanation is printed."""

    text = "text"
    json = "json"


@with_request_flags
def explain(
    flags: RequestFlags,
    format: Annotated[
        ExplainFormat, typer.Option("--format", "-f", help="text for people, json for scripts.")
    ] = ExplainFormat.text,
    jsonl: Annotated[
        str | None,
        typer.Option(
            "--jsonl",
            help='Replay a log: one {"deployment", "request"} a line in (- for stdin), one '
            "decision a line out.",
        ),
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write to this file instead of stdout.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the result.")] = False,
) -> None:
    """Explain what the engine receives for a request, rule by rule.

    With a deployment and no request: what every kind of request gets from it.
    """
    if jsonl is not None:
        _replay(flags, jsonl, output, quiet)
        return
    if _deployment_alone(flags):
        _matrix(flags, format, output, quiet)
        return
    from structag_cli.commands.inputs import load
    from structag_cli.commands.output import write
    from structag_cli.explain import Explanation, text

    inputs = load(flags)
    explanation = Explanation(
        inputs.request, inputs.deployment, inputs.answer(), inputs.worker, inputs.places
    )
    inputs.say_warnings(quiet=quiet)
    if format is ExplainFormat.json:
        write(json.dumps(explanation.to_json(), ensure_ascii=False, indent=2), output)
    else:
        write(text(explanation), output)


def _deployment_alone(flags: RequestFlags) -> bool:
    given = flags.deployment is not None or flags.deployment_args is not None
    return given and flags.tools is None and flags.request is None


def _matrix(flags: RequestFlags, format: ExplainFormat, output: str | None, quiet: bool) -> None:
    """What every kind of request gets, for one worker or for all."""
    from structag_cli.commands.inputs import deployments
    from structag_cli.commands.output import write
    from structag_cli.deployments.matrix import VERSION, text, to_json

    found = deployments(flags)
    for each in found:
        each.say_warnings(quiet=quiet)
    pairs = [(each.effective, each.own_grammar) for each in found if each.effective is not None]
    if format is ExplainFormat.json:
        value = {"version": VERSION, "workers": [to_json(*pair) for pair in pairs]}
        write(json.dumps(value, ensure_ascii=False, indent=2), output)
    else:
        write("\n\n".join(text(*pair) for pair in pairs), output)


def _replay(flags: RequestFlags, path: str, output: str | None, quiet: bool) -> None:
    """Stream the log, in constant memory."""
    from structag_cli.commands.output import result_stream
    from structag_cli.policy.profiles import profile_named
    from structag_cli.policy.settings import DEFAULT_PROFILE

    if flags.tools or flags.request or flags.parser or flags.deployment or flags.deployment_args:
        raise UsageError(
            "--jsonl brings its own requests and deployments",
            mend="drop --parser/--tools/--request/--deployment",
        )
    profile = profile_named(flags.profile or DEFAULT_PROFILE).name
    with result_stream(output) as stream:
        faults = _rows(path, profile, stream, quiet)
    if faults:
        raise typer.Exit(int(ExitCode.USAGE))


def _rows(path: str, profile: str, stream: TextIO, quiet: bool) -> int:
    """Write a row for each line; returns how many lines could not be read."""
    from structag_cli.replay import fault_row, replay_value
    from structag_cli.sources import iter_jsonl

    faults = 0
    for _, document in iter_jsonl(path):
        row: dict[str, Any]
        try:
            if isinstance(document, InputError):
                raise document
            row = replay_value(document, profile)
        except InputError as err:
            faults += 1
            row = fault_row(err.message, str(err))
            if not quiet:
                print(f"error: {err}", file=sys.stderr)
        stream.write(json.dumps(row, ensure_ascii=False) + "\n")
    return faults
