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
        yield sys.stdout
        return
    given = Path(output)
    # A link is followed: the file that it leads to is the one meant.
    replaced = given.is_file() or not given.exists()
    with _whole(Path(os.path.realpath(given))) if replaced else _as_it_is(given) as stream:
        yield stream


@contextmanager
def _whole(target: Path) -> Iterator[TextIO]:
    """A file beside the target, which takes its place in the end."""
    with _told(target):
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".structag.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            yield stream
            with _told(target):
                stream.flush()
        with _told(target):
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def _as_it_is(output: Path) -> Iterator[TextIO]:
    """A device or a pipe: nothing may take its place."""
    with _told(output):
        stream = output.open("w", encoding="utf-8")
    try:
        yield stream
        with _told(output):
            stream.flush()
    finally:
        with suppress(OSError):
            stream.close()


@contextmanager
def _told(output: Path) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as err:
        raise InputError(f"cannot write: {err.strerror}", place=Place(str(output))) from None
