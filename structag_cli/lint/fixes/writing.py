"""A mended file in the place of the old one: whole or not at all."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from structag_cli.errors import InputError
from structag_cli.place import Place
from structag_cli.sources import read_bytes
from structag_cli.whole_files import replace_bytes


def rewrite(path: str, old: bytes, new: bytes) -> None:
    """Put new content into a file; links are followed, mode and owner are kept.

    Raises:
        InputError: the file cannot be written, or is no longer what was read.
    """
    target = Path(os.path.realpath(path))
    try:
        status = target.stat()
        if not stat.S_ISREG(status.st_mode):
            raise _cannot(path, "it is no regular file")
        if not os.access(target, os.W_OK) or not status.st_mode & 0o222:
            raise _cannot(path, "it is read-only")
        if read_bytes(str(target)) != old:
            raise InputError("it changed while it was linted", place=Place(path), mend="try again")
        _replace(target, status, new)
    except OSError as err:
        raise _cannot(path, err.strerror or str(err)) from None


def _replace(target: Path, status: os.stat_result, new: bytes) -> None:
    def dress(name: str) -> None:
        with suppress(OSError, AttributeError):  # only its owner may give a file away
            os.chown(name, status.st_uid, status.st_gid)
        os.chmod(name, stat.S_IMODE(status.st_mode))

    replace_bytes(target, new, f".{target.name}.", dress)


def _cannot(path: str, reason: str) -> InputError:
    return InputError(f"cannot write: {reason}", place=Place(path), mend="--diff shows the mends")
