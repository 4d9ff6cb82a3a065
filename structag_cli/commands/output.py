"""Results to stdout or to a file, whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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
        if sys.stdout is None:
            raise InputError("stdout is closed", place=Place("-"), mend="--output FILE")
        yield sys.stdout
        return
    try:
        target = Path(os.path.realpath(output))
        if target.is_dir():
            raise InputError("cannot write: it is a folder", place=Place(output))
        if target.exists() and not target.is_file():  # a device or a pipe is not to be replaced
            stream: TextIO = open(target, "w", encoding="utf-8", errors=_ERRORS)  # noqa: SIM115
            name = None
        else:
            handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
            stream = os.fdopen(handle, "w", encoding="utf-8", errors=_ERRORS)
    except (OSError, ValueError) as err:
        raise _cannot_write(output, err) from None
    try:
        with stream:
            yield stream
        if name is not None:
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, target)
    except BaseException:
        if name is not None:
            Path(name).unlink(missing_ok=True)
        raise


def _cannot_write(output: str, err: Exception) -> InputError:
    reason = getattr(err, "strerror", None) or str(err)
    return InputError(f"cannot write: {reason}", place=Place(output))
