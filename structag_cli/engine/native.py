"""Loads xgrammar and keeps its native warnings out of the terminal.

xgrammar prints warnings from C++ straight to file descriptor 2, where Python's
``sys.stderr`` cannot catch them. They are results (a dropped keyword), so they are
captured at the descriptor and handed to the caller.
"""

from __future__ import annotations

import gc
import os
import re
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

_LOCK = threading.RLock()
_PREFIX = re.compile(r"^\[\d\d:\d\d:\d\d\] (?:WARNING: |Warning: )?\S+?\.(?:cc|h|cpp):\d+: ")


@cache
def xgrammar() -> Any:
    """The xgrammar module, imported on first use (seconds: it imports torch).

    Importing makes over a million objects that stay. The garbage collector would look
    through them again and again, during the import and after it, so it is kept from that.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        import xgrammar as module
    finally:
        gc.freeze()
        if collecting:
            gc.enable()
    return module


def xgrammar_version() -> str:
    """The installed release, read from its metadata without importing it."""
    from importlib.metadata import version

    return version("xgrammar")


@contextmanager
def captured_warnings(into: list[str]) -> Iterator[None]:
    """Collect what native code writes to descriptor 2, one line an entry.

    Processes that closed descriptor 2 run the body as it is.
    """
    with _LOCK:
        try:
            sys.stderr.flush()
            saved = os.dup(2)
        except (OSError, AttributeError, ValueError):
            yield
            return
        with tempfile.TemporaryFile() as sink:
            os.dup2(sink.fileno(), 2)
            try:
                yield
            finally:
                os.dup2(saved, 2)
                os.close(saved)
                sink.seek(0)
                text = sink.read().decode("utf-8", "replace")
                into.extend(clean_message(line) for line in text.splitlines() if line.strip())


def clean_message(message: str) -> str:
    """A native message without its clock and source-file prefix."""
    text = _PREFIX.sub("", message.strip())
    return re.sub(r"^Check failed: .*? is (?:false|true): ", "", text)
