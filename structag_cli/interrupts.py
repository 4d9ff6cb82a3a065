"""Ctrl-C while native code runs.

Python raises ``KeyboardInterrupt`` only once native code returns, and a compile or a match
may not return for minutes. The command line therefore ends at once there.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread

_ends_at_once = False


def end_at_once() -> None:
    """Let Ctrl-C end this process while it runs native code; for the command line alone."""
    global _ends_at_once
    _ends_at_once = True


@contextmanager
def native_code() -> Iterator[None]:
    """Around calls that may take long without giving Python a turn."""
    usual = signal.default_int_handler
    if (
        not _ends_at_once
        or current_thread() is not main_thread()
        or signal.getsignal(signal.SIGINT) is not usual
    ):
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
