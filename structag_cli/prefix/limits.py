"""Bounds on a stranger's template: it is a program, and may run or grow without end."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SECONDS = 10.0
"""How long one rendering may take; those of real models take milliseconds."""

_MEMORY = 2 << 30
_AGAIN = 0.05


class OverLimit(Exception):
    """A template ran longer, or took more memory, than any real one."""


@contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """Run what is inside for so long, and with 2 GiB more than the process has.

    Off the main thread nothing is bounded, since signals arrive there alone.

    Raises:
        OverLimit: it was more.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(
        signal, "setitimer"
    ):
        yield
        return
    began = time.monotonic()

    def stop(*_: object) -> None:
        raise OverLimit(f"it runs for more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    # Again and again: something in between may have swallowed the first.
    pending = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)[0]
    try:
        with _less_memory():
            yield
    except MemoryError:
        raise OverLimit(f"it takes more than {_MEMORY >> 30} GiB of memory") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if pending:
            left = pending - (time.monotonic() - began)
            signal.setitimer(signal.ITIMER_REAL, max(left, _AGAIN))


@contextmanager
def _less_memory() -> Iterator[None]:
    """The process' address space with an upper bound, where that can be set."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = pages * resource.getpagesize() + _MEMORY
        if soft != resource.RLIM_INFINITY:
            wanted = min(wanted, soft)
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    except (ImportError, OSError, ValueError):
        yield
        return
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
