"""Mends of files: read, mended in memory, and written back where that is wanted."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from dataclasses import dataclass

from structag_cli.errors import InputError
from structag_cli.lint.detect import Trouble, walk
from structag_cli.lint.fixes.diff import unified
from structag_cli.lint.fixes.mending import Mended, mend
from structag_cli.lint.fixes.writing import rewrite
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings
from structag_cli.place import Place
from structag_cli.sources import decode, read_bytes

_SUFFIXES_OF_SCRIPTS = (".sh", ".bash", ".zsh")


@dataclass(frozen=True, slots=True)
class FileMends:
    """What was mended in one file: the difference, empty where there is none."""

    path: str
    diff: str
    mended: Mended


def mend_files(
    paths: list[str], settings: Settings, selection: Selection, *, write: bool
) -> Iterator[FileMends]:
    """Mend files and folders, each file once; what cannot be read has a trouble.

    Raises:
        InputError: a mended file cannot be written.
    """
    seen: set[str] = set()
    for path, _ in walk(paths):
        real = path if path == "-" else os.path.realpath(path)
        if real in seen or path.endswith(_SUFFIXES_OF_SCRIPTS):
            continue
        seen.add(real)
        try:
            data = read_bytes(path)
            text = decode(data, path)
        except InputError as err:
            trouble = Trouble(err.place or Place(path), err.message, err.mend)
            yield FileMends(path, "", Mended("", troubles=[trouble]))
            continue
        yield _mended(path, data, text, settings, selection, write)


def _mended(
    path: str, data: bytes, text: str, settings: Settings, selection: Selection, write: bool
) -> FileMends:
    done = mend(path, text, settings, selection)
    # The mark is a part of the first line, for those who apply the patch too.
    mark = "\ufeff" if data.startswith(codecs.BOM_UTF8) else ""
    if done.text != text and write:
        rewrite(path, data, (mark + done.text).encode())
    return FileMends(path, unified(mark + text, mark + done.text, path), done)
