"""``structag generate --suite``: many requests, one report."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import typer

from structag_cli.commands.options import RequestFlags
from structag_cli.errors import ExitCode

if TYPE_CHECKING:
    from structag_cli.commands.inputs import Inputs
    from structag_cli.generate.models import LoadedModel
    from structag_cli.generate.run import Job
    from structag_cli.generate.settings import Decoding
    from structag_cli.generate.suite import Case, Record, Suite
    from structag_cli.generate.suite.run import Answerer, Prepare


@dataclass(frozen=True, slots=True)
class Plan:
    """What the options say of a suite and of who answers it."""

    path: str
    results: str | None
    report: str
    batch: int
    limit: int | None
    outputs: int
    model: str
    device: str
    dtype: str
    engine: Any
    ban_mode: str


def run(
    flags: RequestFlags, plan: Plan, settings: Decoding, output: str | None, *, quiet: bool
) -> None:
    """Run the suite and print its report; exit status 1 when a promise is broken.

    Raises:
        StructagError: the suite, the results file or the model cannot be used.
    """
    from structag_cli.commands.inputs import load
    from structag_cli.commands.output import talk, write
    from structag_cli.generate.models import load_model
    from structag_cli.generate.suite import Store, Suite, read_cases
    from structag_cli.generate.suite.report import REPORTS

    inputs = load(flags, needs_tools=False)
    cases = read_cases(plan.path, inputs.request.tools)[: plan.limit]
    described = _described(flags, inputs, plan, settings)
    suite = Suite(cases, described, plan.outputs, plan.batch)
    store = Store(plan.results)
    inputs.say_warnings(quiet=quiet)
    loaded = load_model(
        plan.model,
        device=plan.device,
        dtype=plan.dtype,
        say=lambda text: talk(text, quiet=quiet),
    )
    prepare = _preparer(flags, inputs, loaded.chat_template, plan.ban_mode)
    answerer = _answerer(loaded, settings, plan.engine)
    try:
        _watch(suite, suite.run(prepare, answerer, store), quiet=quiet)
    except KeyboardInterrupt:
        talk(_stopped(plan), quiet=quiet)
        raise typer.Exit(130) from None
    records = suite.records(store)
    write(REPORTS[plan.report](records, described), output)
    if not all(record.kept for record in records):
        raise typer.Exit(int(ExitCode.FAILED))


def _stopped(plan: Plan) -> str:
    if plan.results is None:
        return "stopped; nothing is kept without --results FILE"
    return f"stopped; the same command goes on with what {plan.results} has"


def _described(
    flags: RequestFlags, inputs: Inputs, plan: Plan, settings: Decoding
) -> dict[str, Any]:
    """All that an output depends on beside its row."""
    return {
        "model": plan.model,
        "dtype": plan.dtype,
        "engine": plan.engine,
        "ban_mode": plan.ban_mode,
        **asdict(inputs.deployment),
        "grammar": flags.grammar,
        "tools": flags.tools,
        "tool_choice": flags.tool_choice,
        "parallel_tool_calls": flags.parallel,
        **{key: value for key, value in asdict(settings).items() if value != ()},
    }


def _preparer(flags: RequestFlags, inputs: Inputs, template: str | None, ban_mode: str) -> Prepare:
    from structag_cli.commands.inputs import override
    from structag_cli.commands.jobs import job_of

    def prepare(case: Case) -> Job:
        mine = replace(inputs, request=case.request)
        override(flags, mine)
        return job_of(mine, template, ban_mode, lambda _text: None)

    return prepare


def _answerer(loaded: LoadedModel, settings: Decoding, engine: Any) -> Answerer:
    from structag_cli.generate.result import Generation
    from structag_cli.generate.run import Generator

    generator = Generator(loaded)

    def answer(jobs: Sequence[Job], streams: Sequence[int]) -> list[Generation]:
        return generator.generate(jobs, settings, streams=streams, engine=engine)

    return answer


def _watch(suite: Suite, records: Iterable[tuple[Record, bool]], *, quiet: bool) -> None:
    """Draw the run's progress on stderr: a bar on a terminal, else a line now and then."""
    total = len(suite.cases) * suite.outputs
    if quiet:
        for _ in records:
            pass
    elif sys.stderr.isatty():
        _bar(records, total)
    else:
        _lines(records, total)


def _bar(records: Iterable[tuple[Record, bool]], total: int) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    rate = TextColumn("{task.fields[rate]}")
    columns = [BarColumn(), MofNCompleteColumn(), rate, Remaining()]
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("suite", total=total, rate="")
        for done, rate_text in _rates(records):
            progress.update(task, completed=done, rate=rate_text)


def _lines(records: Iterable[tuple[Record, bool]], total: int) -> None:
    step = max(total // 10, 1)
    for done, rate in _rates(records):
        if done % step == 0 or done == total:
            print(f"{done} of {total}  {rate}", file=sys.stderr)


def _rates(records: Iterable[tuple[Record, bool]]) -> Iterator[tuple[int, str]]:
    """After each record: how many there are, and how fast new ones come."""
    tokens, seconds = 0, 0.0
    for done, (record, new) in enumerate(records, 1):
        if new:
            tokens += record.tokens
            seconds += record.seconds
        yield done, f"{tokens / seconds:.1f} tokens/s" if seconds else "kept from before"
