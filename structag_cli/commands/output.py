"""Results to stdout or to a file, whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from structag_cli.errors import InputError
from structag_cli.place import Place

_STDOUT = ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
_ERRORS = "backslashreplace"
"""As on stdout: names of files may hold bytes that are no UTF-8."""


def write(text: str, output: str | None) -> None:
    """Print a result, or write it to a file that appears only when complete.

    Raises:
        InputError: the file cannot be written.
    """
    with result_stream(output) as stream:
        stream.write(text if text.endswith("\n") else text + "\n")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def talk(text: str, *, quiet: bool = False) -> None:
    """Say something that is not a result, on stderr."""
    if not quiet:
        print(text, file=sys.stderr)


@contextmanager
def result_stream(output: str | None) -> Iterator[TextIO]:
    """A stream for results that come one by one: stdout, or a file that appears when complete.

    Raises:
        InputError: the file cannot be written.
    """
    if output is None or output in _STDOUT:
        yield sys.stdout
        return
    # A link is followed: the file that it leads to is the one meant.
    with _told(output):
        target = Path(os.path.realpath(output))
    if target.is_dir():
        raise InputError("cannot write: it is a folder", place=Place(output))
    replaced = target.is_file() or not target.exists()
    with (_whole if replaced else _as_it_is)(target, output) as stream:
        yield stream


@contextmanager
def _whole(target: Path, output: str) -> Iterator[TextIO]:
    """A file beside the target, which takes its place in the end."""
    with _told(output):
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".structag.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors=_ERRORS) as stream:
            yield stream
            with _told(output):
                stream.flush()
        with _told(output):
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def _as_it_is(target: Path, output: str) -> Iterator[TextIO]:
    """A device or a pipe: nothing may take its place."""
    with _told(output):
        stream = target.open("w", encoding="utf-8", errors=_ERRORS)
    try:
        yield stream
        with _told(output):
            stream.flush()
    finally:
        with suppress(OSError):
            stream.close()


@contextmanager
def _told(output: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as err:
        reason = getattr(err, "strerror", None) or str(err)
        raise InputError(f"cannot write: {reason}", place=Place(output)) from None
