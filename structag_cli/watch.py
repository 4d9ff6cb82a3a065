"""A process that watches the engine: native code may run for ever, or crash.

Python runs no handler, and ends no process, before native code returns, and a compile or a
match may not return for hours. So the command line forks before it runs a command that loads
the engine: the child goes on, and the parent stays behind to end it where one native call
takes too long, to say so where it crashes, and to obey Ctrl-C. Nothing is watched in a
library, or on systems without fork.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import signal
import struct
import sys
import time
from typing import NoReturn

from structag_cli.errors import ExitCode, UsageError

LIMIT = "STRUCTAG_ENGINE_SECONDS"
"""The environment variable that says how long one native call may take, in seconds."""

_SECONDS = 60.0
_TICK = 0.25
_CRASHES = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL")
_FORWARDED = ("SIGTERM", "SIGHUP", "SIGQUIT")

_INTERRUPT = getattr(signal, "SIGUSR2", signal.SIGINT)
_DOUBLE = struct.Struct("d")

_began: mmap.mmap | None = None
"""Shared with the parent: when the native call now running began, 0.0 where none is."""


def start() -> None:
    """Go on in a child of this process, which watches it from here on.

    For the command line alone, before anything starts threads (numpy and torch do).

    Raises:
        UsageError: the environment variable ``STRUCTAG_ENGINE_SECONDS`` is no number.
    """
    global _began
    if not hasattr(os, "fork"):
        return
    limit = _limit()
    began = mmap.mmap(-1, 8)
    lifeline = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child:
        _watch(child, began, limit)
    _began = began
    _end_with_parent(*lifeline)
    # A terminal sends Ctrl-C to both; the parent alone knows what to do with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(_INTERRUPT, signal.default_int_handler)


def _end_with_parent(reading: int, writing: int) -> None:
    """Have the kernel end this process, whatever it runs, when the parent is no more.

    A parent that was killed cannot pass that on. The end of its pipe comes as SIGIO.
    """
    import fcntl

    os.close(writing)
    with contextlib.suppress(OSError):
        fcntl.fcntl(reading, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(reading, fcntl.F_SETFL, fcntl.fcntl(reading, fcntl.F_GETFL) | os.O_ASYNC)


class native_code:
    """Around calls into the engine that may take long; a class, since tokens pass by here."""

    __slots__ = ("_outer",)

    def __enter__(self) -> None:
        if _began is not None:
            self._outer = _moment(_began)
            if not self._outer:
                _note(_began, time.monotonic())

    def __exit__(self, *_: object) -> None:
        if _began is not None and not self._outer:
            _note(_began, 0.0)


def _moment(began: mmap.mmap) -> float:
    return float(_DOUBLE.unpack_from(began)[0])


def _note(began: mmap.mmap, moment: float) -> None:
    _DOUBLE.pack_into(began, 0, moment)


def _limit() -> float:
    given = os.environ.get(LIMIT, "")
    try:
        limit = float(given or _SECONDS)
    except ValueError:
        limit = 0.0
    if not limit > 0:
        raise UsageError(f"{LIMIT}={given} is no number of seconds", mend=f"{LIMIT}=60")
    return limit


class _Watch:
    """What the parent knows of its child."""

    def __init__(self, child: int, began: mmap.mmap, limit: float) -> None:
        self.child = child
        self.limit = limit
        self.overdue = False
        self.interrupts = 0
        self._began = began

    def busy_since(self) -> float:
        """When the native call now running began, 0.0 where none is."""
        return _moment(self._began)

    def tick(self, *_: object) -> None:
        """Look after the child; called by a timer."""
        since = self.busy_since()
        if since and time.monotonic() - since > self.limit:
            self.overdue = True
        if self.overdue or (self.interrupts and since) or self.interrupts > 1:
            self.forward(signal.SIGKILL)

    def interrupt(self, *_: object) -> None:
        """Ctrl-C: the child ends by itself, unless it is busy or this is the second."""
        self.interrupts += 1
        self.tick()
        self.forward(_INTERRUPT)

    def go_on(self, *_: object) -> None:
        """The processes were stopped for a while, which counts for nothing."""
        if self.busy_since():
            _note(self._began, time.monotonic())

    def forward(self, number: int, _frame: object = None) -> None:
        """Whoever ends this process means the child."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.child, number)


def _watch(child: int, began: mmap.mmap, limit: float) -> NoReturn:
    """Wait for the child and end as it ended."""
    watch = _Watch(child, began, limit)
    signal.signal(signal.SIGINT, watch.interrupt)
    signal.signal(signal.SIGCONT, watch.go_on)
    for name in _FORWARDED:
        signal.signal(getattr(signal, name), watch.forward)
    signal.signal(signal.SIGALRM, watch.tick)
    signal.setitimer(signal.ITIMER_REAL, _TICK, _TICK)
    _, status = os.waitpid(child, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    if os.WIFSIGNALED(status):
        _end_by(watch, os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


def _end_by(watch: _Watch, number: int) -> NoReturn:
    """End, and say why, as a child that a signal ended."""
    name = signal.Signals(number).name
    if watch.overdue:
        _fail(
            f"the engine was stopped: one call took longer than {watch.limit:g} s "
            f"(`structag lint` names the schema; {LIMIT}=N allows N s)"
        )
    if watch.interrupts:
        number = signal.SIGINT
    elif name in _CRASHES:
        _fail(f"the engine crashed ({name}) on this input (`structag lint` names the schema)")
    elif name == "SIGKILL":
        _fail("the engine was killed, perhaps for want of memory (try a smaller input)")
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    os._exit(128 + number)


def _fail(message: str) -> NoReturn:
    with contextlib.suppress(OSError):
        os.write(2, f"error: {message}\n".encode())
    os._exit(int(ExitCode.USAGE))
