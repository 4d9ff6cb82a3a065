"""``structag generate --suite``: many requests, one report."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

import typer

from structag_cli.commands.options import RequestFlags
from structag_cli.errors import ExitCode

if TYPE_CHECKING:
    from structag_cli.commands.generate_local import LocalModel
    from structag_cli.commands.generate_served import ServedModel
    from structag_cli.commands.inputs import Inputs
    from structag_cli.generate.models import LoadedModel
    from structag_cli.generate.run import Job
    from structag_cli.generate.settings import Decoding
    from structag_cli.generate.suite import Case, Record, Store, Suite
    from structag_cli.generate.suite.run import Answerer, Prepare
    from structag_cli.prefix.template import ChatTemplate


class Answering(Protocol):
    """Who answers a suite."""

    @property
    def described(self) -> Mapping[str, Any]:
        """What an output depends on."""

    def records(self, suite: Suite, store: Store) -> Iterator[tuple[Record, bool]]:
        """Run what the store has not; each record, and whether it is new."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the options say of a suite and of who answers it: ``server``, where there is one."""

    path: str
    results: str | None
    report: str
    batch: int
    limit: int | None
    outputs: int
    local: LocalModel
    server: ServedModel | None
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
    from structag_cli.commands.suite_served import served
    from structag_cli.generate.suite import Store, Suite, read_cases
    from structag_cli.generate.suite.report import REPORTS

    inputs = load(flags, needs_tools=False)
    cases = read_cases(plan.path, inputs.request.tools)[: plan.limit]
    say = lambda text: talk(text, quiet=quiet)  # noqa: E731
    answering: Answering
    if plan.server is None:
        answering = _Local(flags, inputs, plan.local, plan.ban_mode, settings, say)
    else:
        answering = served(flags, inputs, plan.server, plan.ban_mode, settings, say)
    described = _described(flags, inputs, plan, settings, answering.described)
    suite = Suite(cases, described, plan.outputs, plan.batch)
    store = Store(plan.results)
    inputs.say_warnings(quiet=quiet)
    try:
        _watch(suite, answering.records(suite, store), quiet=quiet)
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
    flags: RequestFlags,
    inputs: Inputs,
    plan: Plan,
    settings: Decoding,
    answering: Mapping[str, Any],
) -> dict[str, Any]:
    """All that an output depends on beside its row."""
    return {
        **answering,
        "ban_mode": plan.ban_mode,
        **asdict(inputs.deployment),
        "grammar": flags.grammar,
        "tools": flags.tools,
        "tool_choice": flags.tool_choice,
        "parallel_tool_calls": flags.parallel,
        **{key: value for key, value in asdict(settings).items() if value != ()},
    }


@dataclass(frozen=True, slots=True)
class _Local:
    """A model on this machine."""

    flags: RequestFlags
    inputs: Inputs
    model: LocalModel
    ban_mode: str
    settings: Decoding
    say: Callable[[str], None]

    @property
    def described(self) -> Mapping[str, Any]:
        return self.model.described

    def records(self, suite: Suite, store: Store) -> Iterator[tuple[Record, bool]]:
        loaded = self.model.load(self.say)
        prepare = _preparer(self.flags, self.inputs, loaded.chat_template, self.ban_mode)
        return suite.run(prepare, _answerer(loaded, self.settings, self.model.engine), store)


def _preparer(
    flags: RequestFlags, inputs: Inputs, template: ChatTemplate | None, ban_mode: str
) -> Prepare:
    from structag_cli.commands.inputs import with_request
    from structag_cli.commands.jobs import job_of

    def prepare(case: Case) -> Job:
        mine = with_request(inputs, flags, case.request)
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
