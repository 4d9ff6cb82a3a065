"""Bounds on a stranger's template: it is a program, and may run or grow without end."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

SECONDS = 10.0
"""How long one rendering may take; those of real models take milliseconds."""

_MEMORY = 2 << 30
_ONE = threading.Lock()
"""The bound on memory is the whole process'."""


class OverLimit(Exception):
    """A template ran longer, or took more memory, than any real one."""


@contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """Run the functions called inside for so long, and with 2 GiB more than the process has.

    Time is looked at on every line of Python, as templates are when they run: a signal
    would reach the main thread alone, and lint renders in others.

    Raises:
        OverLimit: it was more.
    """
    with _ONE:
        until = time.monotonic() + seconds

        def look(_frame: FrameType, _event: str, _arg: Any) -> Any:
            if time.monotonic() > until:
                raise OverLimit(f"it runs for more than {seconds:g} s")
            return look

        before = sys.gettrace()
        sys.settrace(look)
        try:
            with _less_memory():
                yield
        except MemoryError:
            raise OverLimit(f"it takes more than {_MEMORY >> 30} GiB of memory") from None
        finally:
            sys.settrace(before)


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
