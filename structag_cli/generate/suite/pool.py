"""Runs the cases of a suite on a server, several at once."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Protocol

from structag_cli.errors import StructagError
from structag_cli.generate.result import Generation
from structag_cli.generate.suite.cases import Case
from structag_cli.generate.suite.record import Record, record_of
from structag_cli.generate.suite.run import Suite, Trial, failed
from structag_cli.generate.suite.store import Store


class Server(Protocol):
    """Whoever answers. Only ``ask`` is called in other threads."""

    def prepare(self, case: Case) -> Any:
        """What to ask for a case; raises ``StructagError``."""

    def ask(self, question: Any, stream: int) -> Any:
        """The answer, raw; raises ``StructagError``."""

    def judge(self, question: Any, answer: Any) -> Generation:
        """What came of it."""

    def ends_it(self, err: StructagError) -> bool:
        """Whether every other case would fail in the same way."""

    def stop(self) -> None:
        """Break off what is under way."""


def run_on_server(suite: Suite, server: Server, store: Store) -> Iterator[tuple[Record, bool]]:
    """Run what the store has not, ``suite.batch`` at once; a slow answer holds up no other.

    Yields:
        Each record, and whether it is new. A new one's seconds are those since the last,
        so that all together are the time that passed.

    Raises:
        StructagError: something that no case would survive; what is done is kept.
    """
    known, left = suite.split(store)
    for record in known:
        yield record, False
    with ThreadPoolExecutor(suite.batch) as pool:
        try:
            for record in _records(left, suite.batch, server, pool):
                store.add(record)
                yield record, True
        finally:
            server.stop()
            pool.shutdown(wait=False, cancel_futures=True)


def _records(
    trials: Sequence[Trial], most: int, server: Server, pool: ThreadPoolExecutor
) -> Iterator[Record]:
    waiting = iter(trials)
    running: dict[Future[tuple[Any, float]], tuple[Trial, Any]] = {}
    last = time.perf_counter()
    while True:
        yield from _fill(running, waiting, most, server, pool)
        if not running:
            return
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        answered = [(*running.pop(future), future) for future in done]
        # The server is kept busy while the answers are judged.
        yield from _fill(running, waiting, most, server, pool)
        for trial, question, future in answered:
            record, at = _record(trial, question, future, server, last)
            last = max(last, at)
            yield record


def _fill(
    running: dict[Future[tuple[Any, float]], tuple[Trial, Any]],
    waiting: Iterator[Trial],
    most: int,
    server: Server,
    pool: ThreadPoolExecutor,
) -> Iterator[Record]:
    """Start as many as may run; yields the records of those that cannot be asked."""
    while len(running) < most and (trial := next(waiting, None)) is not None:
        try:
            question = server.prepare(trial.case)
        except StructagError as err:
            yield failed(trial, err)
        else:
            running[pool.submit(_timed, server, question, trial.stream)] = (trial, question)


def _timed(server: Server, question: Any, stream: int) -> tuple[Any, float]:
    return server.ask(question, stream), time.perf_counter()


def _record(
    trial: Trial,
    question: Any,
    future: Future[tuple[Any, float]],
    server: Server,
    last: float,
) -> tuple[Record, float]:
    """The record, and when its answer was whole."""
    try:
        answer, at = future.result()
    except StructagError as err:
        if server.ends_it(err):
            raise
        return failed(trial, err), last
    made = server.judge(question, answer)
    seconds = max(at - last, 0.0)
    return record_of(trial.case, trial.key, trial.output, made, seconds), at
