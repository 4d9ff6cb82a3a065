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
    if output is None or output == "-":
        if sys.stdout is None:
            raise InputError("stdout is closed", place=Place("-"), mend="--output FILE")
        yield sys.stdout
        return
    target = Path(output)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as err:
        raise InputError(f"cannot write: {err.strerror}", place=Place(output)) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            yield stream
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
