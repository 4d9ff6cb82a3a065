"""``structag check``: is this model output what the tag promises?"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from structag_cli.commands.options import RequestFlags, with_request_flags
from structag_cli.errors import ExitCode, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from structag_cli.checking.report import Verdict


class CheckFormat(str, Enum):
    """How verdicts are printed."""

    text = "text"
    json = "json"


@with_request_flags
def check(
    flags: RequestFlags,
    outputs: Annotated[
        list[str],
        typer.Argument(help="Model outputs: text files, JSONL logs of outputs, - for stdin."),
    ],
    format: Annotated[
        CheckFormat, typer.Option("--format", "-f", help="How to print verdicts.")
    ] = CheckFormat.text,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write to this file instead of stdout.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only what fails.")] = False,
) -> None:
    """Check model outputs: accepted or refused where, the calls in them, what was asked."""
    from structag_cli.checking.check import Checker
    from structag_cli.checking.outputs import read_outputs, together
    from structag_cli.checking.report import print_json, print_text
    from structag_cli.commands.inputs import load
    from structag_cli.commands.output import result_stream

    inputs = load(flags)
    answer = inputs.answer()
    inputs.say_warnings(quiet=quiet)
    checker = Checker(inputs.request, answer)
    failed: list[str] = []
    unread: list[InputError] = []

    def verdicts() -> Iterator[tuple[str, Verdict]]:
        for name, text in read_outputs(outputs):
            if isinstance(text, InputError):
                unread.append(text)
                yield name, text
                continue
            found = checker.check(text)
            if not found.passed:
                failed.append(name)
            yield name, found

    with result_stream(output) as stream:
        if format is CheckFormat.json:
            print_json(verdicts(), stream)
        else:
            print_text(verdicts(), stream, quiet=quiet)
    if unread:  # told after the results, which are whole
        raise together(unread)
    if failed:
        raise typer.Exit(int(ExitCode.FAILED))
