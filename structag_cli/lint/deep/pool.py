"""Child processes that probe schemas, with limits of time and memory."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from structag_cli.lint.closings import CLOSINGS
from structag_cli.lint.deep.result import ProbeResult
from structag_cli.lint.deep.worker import COMPILED
from structag_cli.lint.schemas import every_schema, style_of_schema
from structag_cli.lint.subject import Settings, Subject

if TYPE_CHECKING:
    from structag_cli.lint.deep.examples import Trial
    from structag_cli.lint.templates import Written

_START = 60.0
"""Seconds for a process to start."""

GRACE = 15.0
"""Beside the time for trying, a schema has this many seconds to compile."""

_TRIALS = 30.0
_REMEMBERED = 512
_WRITTEN = {"json", "minimax_m3_xml", *CLOSINGS}
_COMPILED = f"{COMPILED}\n".encode()

EXAMPLES = -1
"""Key of a grammar file's examples among a subject's probes: each trial and what came of it."""

TURNS = -2
"""As ``EXAMPLES``, of what a chat template writes."""


class _Tried(Protocol):
    """A text, and the tag it is for."""

    @property
    def tag(self) -> dict[str, Any]: ...

    @property
    def text(self) -> str: ...


_T = TypeVar("_T", bound=_Tried)


class Pool:
    """Two workers at most; each starts when it is first needed."""

    def __init__(self, settings: Settings) -> None:
        self._seconds = settings.seconds
        self._seed = settings.seed
        count = max(1, min(2, os.cpu_count() or 1))
        self._threads = ThreadPoolExecutor(count)
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        self._workers = [_Worker() for _ in range(count)]
        for worker in self._workers:
            self._idle.put(worker)
        self._known: OrderedDict[tuple[str, str], Future[ProbeResult]] = OrderedDict()

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, err: BaseException | None, _: TracebackType | None
    ) -> None:
        self._threads.shutdown(wait=kind is None, cancel_futures=True)
        for worker in self._workers:
            worker.stop()

    def submit(self, subject: Subject) -> None:
        """Start the probes of a subject's schemas; equal schemas are probed once."""
        if subject.kind == "grammar":
            subject.probes[EXAMPLES] = self._threads.submit(self._try_examples, subject)
        elif subject.settings.has_template and subject.document.first_line <= 1:
            subject.probes[TURNS] = self._threads.submit(self._try_turns, subject)
        for tool, schema in every_schema(subject):
            try:
                text = json.dumps(schema, allow_nan=False)
            except (ValueError, TypeError, RecursionError):
                continue
            style = style_of_schema(subject, tool)
            if schema is not False and (tool.index >= 0 or style in _WRITTEN):
                subject.probes[tool.index] = self.probe_text(text, style)

    def probe_text(self, text: str, style: str) -> Future[ProbeResult]:
        """Probe one schema, given as JSON, in one style."""
        key = (text, style)
        known = self._known.get(key)
        if known is not None:
            self._known.move_to_end(key)
            return known
        future = self._known[key] = self._threads.submit(self._run, text, style)
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return future

    def _try_examples(self, subject: Subject) -> list[tuple[Trial, dict[str, Any]]] | None:
        """What the tags of a grammar file do with its examples."""
        from structag_cli.lint.deep.examples import trials
        from structag_cli.lint.grammars import sound_grammar

        grammar = sound_grammar(subject)
        if grammar is None:
            return None
        return self._tried(trials(grammar))

    def _try_turns(self, subject: Subject) -> list[tuple[Written, dict[str, Any]]]:
        """What the tags do with the calls that the given chat template writes."""
        from structag_cli.lint.templates import written_turns

        return self._tried(written_turns(subject))

    def _tried(self, texts: Iterable[_T]) -> list[tuple[_T, dict[str, Any]]]:
        """Each text and what came of it, up to the first of which the process dies."""
        tried = list(texts)
        worker = self._idle.get()
        try:
            seen = worker.try_all([{"tag": each.tag, "text": each.text} for each in tried])
        finally:
            self._idle.put(worker)
        return list(zip(tried, seen, strict=False))

    def _run(self, text: str, style: str) -> ProbeResult:
        worker = self._idle.get()
        try:
            return worker.probe(text, style, self._seconds, self._seed)
        finally:
            self._idle.put(worker)


@dataclass(frozen=True, slots=True)
class _Answer:
    """The answer to one line, or why there is none, and whether the schema had compiled."""

    line: bytes | None
    why: str = ""
    compiled: bool = False


class _Worker:
    """One child process, started again after it died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def probe(self, schema: str, style: str, seconds: float, seed: int) -> ProbeResult:
        line = f'{{"schema": {schema}, "style": "{style}", "seconds": {seconds}, "seed": {seed}}}\n'
        answer = self._answer(line, seconds + GRACE)
        if answer.line is None:
            return ProbeResult(
                error=answer.why, died=True, compiled=answer.compiled, complete=False
            )
        return ProbeResult.from_json(json.loads(answer.line))

    def try_all(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Run trials up to the first of which the process dies: that one says why."""
        until = time.monotonic() + _TRIALS
        found: list[dict[str, Any]] = []
        for row in rows:
            left = max(0.0, until - time.monotonic()) + GRACE
            answer = self._answer(json.dumps(row) + "\n", left)
            if answer.line is None:
                return [*found, {"died": answer.why}]
            found.append(json.loads(answer.line))
        return found

    def _answer(self, line: str, limit: float) -> _Answer:
        """The answer to one line; without one the process is ended."""
        process = self._process
        if process is None or process.poll() is not None:
            process = self._start()
        answer = _ask(process, line.encode(), limit)
        if answer.line is None:
            self.stop()
        return answer

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "structag_cli.lint.deep.worker"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        _ask(self._process, b"", _START)  # a process that does not start fails its first tool
        return self._process

    def stop(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue


def _ask(process: subprocess.Popen[bytes], line: bytes, limit: float) -> _Answer:
    """Write a line, and wait for the answer to it."""
    if process.stdin is None or process.stdout is None:
        return _Answer(None, "the compiler process has no pipes")
    until = time.monotonic() + limit
    try:
        process.stdin.write(line)
        process.stdin.flush()
    except (BrokenPipeError, OSError):
        return _Answer(None, f"the compiler process ended ({_end_of(process)})")
    read = b""
    compiled = False
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            if not selector.select(max(0.0, until - time.monotonic())):
                return _Answer(None, f"no answer in {limit:.0f} seconds", compiled)
            part = os.read(process.stdout.fileno(), 1 << 16)
            if not part:
                why = f"the compiler process crashed ({_end_of(process)})"
                return _Answer(None, why, compiled)
            read += part
            if not compiled and read.startswith(_COMPILED):
                compiled, read = True, read.removeprefix(_COMPILED)
            if read.endswith(b"\n"):
                return _Answer(read, "", compiled)


def _end_of(process: subprocess.Popen[Any]) -> str:
    try:
        code = process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        return "still running"
    return f"signal {-code}" if code < 0 else f"exit status {code}"
