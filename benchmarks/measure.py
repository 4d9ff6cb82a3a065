"""Whole processes, timed and weighed."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class Run:
    """One process: seconds of wall clock, peak resident memory in MiB."""

    seconds: float
    peak_mib: float


def run(command: Sequence[str], stdin: Path | None = None) -> Run:
    """Run a command to its end, its output thrown away."""
    source = stdin.open("rb") if stdin else subprocess.DEVNULL
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=source, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status:
        raise SystemExit(f"{' '.join(command)}: exit status {os.waitstatus_to_exitcode(status)}")
    return Run(seconds, usage.ru_maxrss / 1024)


def alternate(first: Sequence[str], second: Sequence[str], times: int) -> tuple[float, float]:
    """Median seconds of two commands, run in turn so that both see the same machine."""
    pairs = [(run(first).seconds, run(second).seconds) for _ in range(times)]
    return statistics.median(p[0] for p in pairs), statistics.median(p[1] for p in pairs)


def structag(*arguments: str) -> list[str]:
    """The installed command."""
    return [str(BIN / "structag"), *arguments]


def python(code: str) -> list[str]:
    """A line of Python, in the same environment."""
    return [sys.executable, "-c", code]
