"""``structag lint``: what is wrong with tools, requests, tags and grammars, with a witness."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from structag_cli.errors import ExitCode

if TYPE_CHECKING:
    from structag_cli.findings import Finding, Severity
    from structag_cli.formats.model import Grammar
    from structag_cli.policy.settings import Deployment


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
    deployment: Annotated[
        str | None,
        typer.Option("--deployment", "-d", help="Lint for a worker of this manifest or script."),
    ] = None,
    worker: Annotated[
        str | None, typer.Option("--worker", help="Which worker of --deployment.")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--target", help="A release to lint for: xgrammar==X, vllm==X, sglang==X, dynamo==X."
        ),
    ] = None,
    tokenizer: Annotated[
        str | None,
        typer.Option(
            "--tokenizer", help="Look at tags with this tokenizer's tokens and stop tokens."
        ),
    ] = None,
    template: Annotated[
        str | None,
        typer.Option(
            "--template",
            help="The model's chat template: its calls are tried on the tag. "
            "[default: the one beside --tokenizer]",
        ),
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
        float | None,
        typer.Option("--seconds", min=0.1, help="Time to try instances, a tool. [default: 2]"),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", help="Chooses the random walks of the deep rules.")
    ] = 0,
    baseline: Annotated[
        str | None, typer.Option("--baseline", help="Leave out the findings in this file.")
    ] = None,
    write_baseline: Annotated[
        str | None, typer.Option("--write-baseline", help="Write all findings to this file.")
    ] = None,
    config: Annotated[
        str | None, typer.Option("--config", help="structag.toml or pyproject.toml to read.")
    ] = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Mend what has a safe mend; show what changed on stderr.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Print what --fix would change, and change nothing.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the findings.")] = False,
) -> None:
    """Find what is wrong before it is deployed, with the input that shows it."""
    from structag_cli.commands.lint_fix import check_use, fix_files, print_diff
    from structag_cli.commands.output import result_stream, talk
    from structag_cli.findings import Severity
    from structag_cli.lint.baseline import read_baseline
    from structag_cli.lint.baseline import write_baseline as write_known
    from structag_cli.lint.config import read_config
    from structag_cli.lint.report import report
    from structag_cli.lint.run import Counts
    from structag_cli.lint.run import lint as run
    from structag_cli.lint.selection import Selection, rule_codes
    from structag_cli.lint.subject import Settings
    from structag_cli.lint.targets import dynamo_release, xgrammar_target

    if fix or diff:
        check_use(paths, fix=fix, diff=diff, baseline=write_baseline)
    own = read_config(config)
    source = deployment or (None if parser or grammar else own.deployment)
    named = parser or (None if source else own.parser)
    policy = _policy(source, worker, named, grammar, quiet=quiet)
    named = named if policy is None else policy.parser
    settings = Settings(
        parser=named,
        grammar=_grammar(named, grammar or own.grammar),
        deployment=policy,
        deep=(own.deep is not False) if deep is None else deep,
        target=target or own.target,
        tokenizer=_known_tokenizer(tokenizer or own.tokenizer),
        template=_known_template(template or own.template),
        seconds=seconds or own.seconds or 2.0,
        seed=seed,
    )
    if settings.target is not None and dynamo_release(settings.target) is None:
        xgrammar_target(settings.target)
    # What is written down is all there is, whatever was known.
    known = None if write_baseline is not None else baseline or own.baseline
    selection = Selection(
        rule_codes(select or own.select),
        rule_codes(ignore or own.ignore),
        Severity.named(severity.value if severity else own.severity or "info"),
        {pattern: rule_codes(codes) for pattern, codes in own.per_file_ignores.items()},
        {} if known is None else read_baseline(known),
    )
    if diff:
        print_diff(paths, settings, selection, output, quiet=quiet)
        return
    if fix:
        fix_files(paths, settings, selection, quiet=quiet)
    counts = Counts()
    findings = run(paths, settings, selection, counts)
    if write_baseline is not None:
        count = write_known(write_baseline, findings)
        talk(f"{count} findings are known from now on", quiet=quiet)
        return
    worst: list[Severity] = []
    with result_stream(output) as stream:
        report(format.value, _noted(findings, worst), counts, stream, quiet=quiet, mended=fix)
    limit = fail_on.value if fail_on else own.fail_on or "warning"
    if limit != "never" and worst and worst[0] >= Severity.named(limit):
        raise typer.Exit(int(ExitCode.FAILED))


def _policy(
    file: str | None, worker: str | None, parser: str | None, grammar: str | None, *, quiet: bool
) -> Deployment | None:
    """The settings of the worker that a deployment names, with the options over them."""
    from structag_cli.commands.inputs import load
    from structag_cli.commands.options import RequestFlags

    if file is None and worker is None:
        return None
    flags = RequestFlags(parser=parser, grammar=grammar, deployment=file, worker=worker)
    inputs = load(flags, needs_tools=False)
    inputs.say_warnings(quiet=quiet)
    return inputs.deployment


def _known_tokenizer(name: str | None) -> str | None:
    """The name, once its tokenizer is read: a wrong one is told before anything is linted."""
    if name is not None:
        from structag_cli.lint.stops import opened_tokenizer

        opened_tokenizer(name)
    return name


def _known_template(file: str | None) -> str | None:
    """The file's name, once it is read as a template."""
    if file is not None:
        from structag_cli.prefix.template import find_template

        find_template(file).check()
    return file


def _noted(findings: Iterable[Finding], worst: list[Severity]) -> Iterator[Finding]:
    """The findings, keeping the worst severity."""
    for finding in findings:
        worst[:] = [max([finding.severity, *worst])]
        yield finding


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
