"""Runs the cases of a suite in batches; a case that fails costs no other its result."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from structag_cli.errors import StructagError
from structag_cli.generate.result import Generation
from structag_cli.generate.run import Job
from structag_cli.generate.suite.cases import Case
from structag_cli.generate.suite.record import Record, record_of
from structag_cli.generate.suite.store import Store

Prepare = Callable[[Case], Job]
"""Makes a case's job.

Raises:
    StructagError: the server would refuse the request, or there is no prompt for it.
"""


class Answerer(Protocol):
    """A model that answers several at once; a server answers in ``pool``."""

    def __call__(self, jobs: Sequence[Job], streams: Sequence[int]) -> list[Generation]:
        """One output a job; ``streams`` number their random choices."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One output to make: a case, and which of its outputs."""

    case: Case
    output: int
    stream: int
    key: str


@dataclass(frozen=True, slots=True)
class Suite:
    """What to run.

    ``settings`` is everything beside the row that an output depends on; a record is
    taken from an earlier run only where row and settings are the same.
    """

    cases: Sequence[Case]
    settings: Mapping[str, Any]
    outputs: int = 1
    batch: int = 1

    def trials(self) -> list[Trial]:
        """All outputs to make, case by case."""
        return [
            Trial(case, output, index * self.outputs + output, self._key(case, output))
            for index, case in enumerate(self.cases)
            for output in range(self.outputs)
        ]

    def _key(self, case: Case, output: int) -> str:
        text = json.dumps([case.digest, output, self.settings], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:24]

    def split(self, store: Store) -> tuple[list[Record], list[Trial]]:
        """What the store has, and what is still to be made; failures are tried again."""
        known, left = [], []
        for trial in self.trials():
            record = store.records.get(trial.key)
            if record is None or record.error is not None:
                left.append(trial)
            else:
                known.append(record)
        return known, left

    def run(
        self, prepare: Prepare, answerer: Answerer, store: Store
    ) -> Iterator[tuple[Record, bool]]:
        """Run what the store has not; yields each record and whether it is new."""
        known, left = self.split(store)
        for record in known:
            yield record, False
        for start in range(0, len(left), self.batch):
            for record in _batch(left[start : start + self.batch], prepare, answerer):
                store.add(record)
                yield record, True

    def records(self, store: Store) -> list[Record]:
        """The records of this suite that a store has, in the suite's order."""
        found = (store.records.get(trial.key) for trial in self.trials())
        return [record for record in found if record is not None]


def _batch(trials: Sequence[Trial], prepare: Prepare, answerer: Answerer) -> Iterator[Record]:
    ready: list[tuple[Trial, Job]] = []
    for trial in trials:
        try:
            ready.append((trial, prepare(trial.case)))
        except StructagError as err:
            yield failed(trial, err)
    if not ready:
        return
    start = time.perf_counter()
    try:
        made = answerer([job for _, job in ready], [trial.stream for trial, _ in ready])
    except StructagError as err:
        if len(ready) == 1:
            yield failed(ready[0][0], err)
            return
        # One of them is at fault: each on its own tells which.
        for trial, job in ready:
            yield from _batch([trial], lambda _case, job=job: job, answerer)  # type: ignore[misc]
        return
    seconds = (time.perf_counter() - start) / len(ready)
    for (trial, _), generation in zip(ready, made, strict=True):
        yield record_of(trial.case, trial.key, trial.output, generation, seconds)


def failed(trial: Trial, err: StructagError) -> Record:
    """The record of a case without an output."""
    return Record(trial.key, trial.case.id, trial.output, error=str(err))
