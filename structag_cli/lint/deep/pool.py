"""Child processes that probe schemas, with limits of time and memory."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import time
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from types import TracebackType
from typing import Any

from structag_cli.lint.closings import CLOSINGS
from structag_cli.lint.deep.result import ProbeResult
from structag_cli.lint.schemas import every_schema, style_of_schema
from structag_cli.lint.subject import Settings, Subject

_START = 60.0
"""Seconds for a process to start."""

GRACE = 15.0
"""Beside the time for trying, a schema has this many seconds to compile."""

_TRIALS = 30.0
_REMEMBERED = 512
_WRITTEN = {"json", "minimax_m3_xml", *CLOSINGS}

EXAMPLES = -1
"""Key of the trials of a grammar file's examples, among a subject's probes."""

TURNS = -2
"""Key of the trials of what a chat template writes."""


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

    def _try_examples(self, subject: Subject) -> list[dict[str, Any]] | None:
        """What the tags of a grammar file do with its examples."""
        from structag_cli.lint.deep.examples import trials
        from structag_cli.lint.grammars import sound_grammar

        grammar = sound_grammar(subject)
        if grammar is None:
            return None
        return self._tried([{"tag": trial.tag, "text": trial.text} for trial in trials(grammar)])

    def _try_turns(self, subject: Subject) -> list[dict[str, Any]]:
        """What the tags do with the calls that the given chat template writes."""
        from structag_cli.lint.templates import written_turns

        return self._tried(
            [{"tag": turn.tag, "text": turn.text} for turn in written_turns(subject)]
        )

    def _tried(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        worker = self._idle.get()
        try:
            return worker.try_all(rows)
        finally:
            self._idle.put(worker)

    def _run(self, text: str, style: str) -> ProbeResult:
        worker = self._idle.get()
        try:
            return worker.probe(text, style, self._seconds, self._seed)
        finally:
            self._idle.put(worker)


class _Worker:
    """One child process, started again after it died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def probe(self, schema: str, style: str, seconds: float, seed: int) -> ProbeResult:
        line = f'{{"schema": {schema}, "style": "{style}", "seconds": {seconds}, "seed": {seed}}}\n'
        answer, why = self._answer(line, seconds + GRACE)
        if answer is None:
            return ProbeResult(error=why, died=True, complete=False)
        return ProbeResult.from_json(json.loads(answer))

    def try_all(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Run trials; where the process dies of them, each has the reason for an error."""
        answer, why = self._answer(json.dumps({"trials": rows}) + "\n", _TRIALS + GRACE)
        if answer is None:
            return [{"error": why} for _ in rows[:1]]
        return list(json.loads(answer)["trials"])

    def _answer(self, line: str, limit: float) -> tuple[bytes | None, str]:
        """The answer to one line; without one the process is ended."""
        process = self._process
        if process is None or process.poll() is not None:
            process = self._start()
        answer, why = _ask(process, line.encode(), limit)
        if answer is None:
            self.stop()
        return answer, why

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


def _ask(process: subprocess.Popen[bytes], line: bytes, limit: float) -> tuple[bytes | None, str]:
    """The answer to one line, or ``None`` and why there is none."""
    if process.stdin is None or process.stdout is None:
        return None, "the compiler process has no pipes"
    until = time.monotonic() + limit
    try:
        process.stdin.write(line)
        process.stdin.flush()
    except (BrokenPipeError, OSError):
        return None, f"the compiler process ended ({_end_of(process)})"
    parts: list[bytes] = []
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            if not selector.select(max(0.0, until - time.monotonic())):
                return None, f"no answer in {limit:.0f} seconds"
            part = os.read(process.stdout.fileno(), 1 << 16)
            if not part:
                return None, f"the compiler process crashed ({_end_of(process)})"
            parts.append(part)
            if part.endswith(b"\n"):
                return b"".join(parts), ""


def _end_of(process: subprocess.Popen[Any]) -> str:
    try:
        code = process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        return "still running"
    return f"signal {-code}" if code < 0 else f"exit status {code}"
