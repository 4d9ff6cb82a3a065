"""``structag lint``: what is wrong with tools, requests, tags and grammars, with a witness."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from structag_cli.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from structag_cli.findings import Finding
    from structag_cli.formats.model import Grammar


class LintFormat(str, Enum):
    """How findings are printed."""

    text = "text"
    json = "json"
    sarif = "sarif"
    github = "github"
    junit = "junit"


class SeverityName(str, Enum):
    """How much a finding matters."""

    info = "info"
    warning = "warning"
    error = "error"


class FailOn(str, Enum):
    """Findings from which on the exit status is 1."""

    info = "info"
    warning = "warning"
    error = "error"
    never = "never"


def lint(
    paths: Annotated[
        list[str],
        typer.Argument(help="Files and folders: tools, requests, tags, logs; - is stdin."),
    ],
    parser: Annotated[
        str | None, typer.Option("--parser", "-p", help="Lint for this tool-call parser's tag.")
    ] = None,
    grammar: Annotated[
        str | None, typer.Option("--grammar", help="Your own grammar file, instead of --parser.")
    ] = None,
    format: Annotated[
        LintFormat, typer.Option("--format", "-f", help="How to print findings.")
    ] = LintFormat.text,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write to this file instead of stdout.")
    ] = None,
    select: Annotated[
        list[str] | None, typer.Option("--select", help="Only these codes or prefixes of codes.")
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", help="Not these codes or prefixes of codes.")
    ] = None,
    severity: Annotated[
        SeverityName | None, typer.Option("--severity", help="Report from here on. [default: info]")
    ] = None,
    fail_on: Annotated[
        FailOn | None, typer.Option("--fail-on", help="Exit 1 from here on. [default: warning]")
    ] = None,
    deep: Annotated[
        bool | None,
        typer.Option("--deep/--no-deep", help="Compile schemas and try witnesses. [default: deep]"),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, help="Time for the deep rules, a tool.")
    ] = 2.0,
    seed: Annotated[int, typer.Option("--seed", help="Of the witnesses that are tried.")] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the findings.")] = False,
) -> None:
    """Find what is wrong before it is deployed, with the input that shows it."""
    from structag_cli.commands.output import result_stream
    from structag_cli.findings import Severity
    from structag_cli.lint.report import report
    from structag_cli.lint.run import Counts
    from structag_cli.lint.run import lint as run
    from structag_cli.lint.selection import Selection
    from structag_cli.lint.subject import Settings

    settings = Settings(
        parser=parser,
        grammar=_grammar(parser, grammar),
        deep=deep is not False,
        seconds=seconds,
        seed=seed,
    )
    selection = Selection(
        _codes(select), _codes(ignore), Severity.named((severity or SeverityName.info).value)
    )
    worst: list[Severity] = []
    counts = Counts()

    def noted() -> Iterator[Finding]:
        for finding in run(paths, settings, selection, counts):
            worst[:] = [max([finding.severity, *worst])]
            yield finding

    with result_stream(output) as stream:
        report(format.value, noted(), counts, stream, quiet=quiet)
    limit = (fail_on or FailOn.warning).value
    if limit != "never" and worst and worst[0] >= Severity.named(limit):
        raise typer.Exit(int(ExitCode.FAILED))


def _codes(given: list[str] | None) -> tuple[str, ...]:
    """Codes and prefixes; several may stand in one option, with commas between.

    Raises:
        UsageError: no rule has such a code.
    """
    from structag_cli.lint.registry import rules

    codes = [code.strip() for each in given or () for code in each.split(",") if code.strip()]
    known = rules()
    named = {rule.name: rule.code for rule in known.values()}
    found = [named.get(code, code.upper()) for code in codes]
    for code in found:
        if not any(each.startswith(code) for each in known):
            raise UsageError(f"no rule {code}", mend="`structag rule` lists them")
    return tuple(found)


def _grammar(parser: str | None, own: str | None) -> Grammar | None:
    from pathlib import Path

    from structag_cli.formats.registry import (
        grammar_for,
        known_parsers,
        read_grammar,
        unknown_parser,
    )

    if own is not None:
        return read_grammar(Path(own))
    if parser is None:
        return None
    found = grammar_for(parser)
    if found is None and parser not in known_parsers():
        raise unknown_parser(parser)
    return found
