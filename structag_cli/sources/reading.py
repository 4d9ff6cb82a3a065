"""From a path or stdin to a document."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from structag_cli.errors import InputError
from structag_cli.place import Place
from structag_cli.sources.document import Document, Kind
from structag_cli.sources.json_source import TrailingDataError, parse_json

MAX_BYTES = 64 * 1024 * 1024
"""Largest JSON document that is read whole. Logs are streamed and have no limit."""

MAX_YAML_BYTES = 8 * 1024 * 1024
"""Largest YAML document: YAML takes about a hundred times as long to read as JSON."""

MAX_LINE_BYTES = 16 * 1024 * 1024
"""Longest line of a log."""

_SUFFIXES: dict[str, Kind] = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".yaml": "yaml",
    ".yml": "yaml",
}


def read_document(path: str, *, kind: Kind | None = None, max_bytes: int = MAX_BYTES) -> Document:
    """Read one document.

    Args:
        path: a file, or ``-`` for stdin.
        kind: how to read it; by default the suffix or else the content tells. The value
            of ``jsonl`` is the list of its lines' values.
        max_bytes: the largest input to read; YAML has ``MAX_YAML_BYTES`` too.

    Raises:
        InputError: it is missing, unreadable, too large, or not what it should be.
    """
    return parse_document(read_text(path, max_bytes), path, kind=kind)


def parse_document(text: str, path: str, *, kind: Kind | None = None) -> Document:
    """The document of a text that was read from a path; see ``read_document``."""
    if not text.strip():
        raise InputError("the input is empty", place=Place(path))
    kind = kind or _SUFFIXES.get(Path(path).suffix.lower())
    if kind is None:
        return _parse_unknown(text, path)
    return _PARSERS[kind](text, path)


def _parse_unknown(text: str, path: str) -> Document:
    """JSON if it is JSON or looks like it, JSONL if only that fits, YAML otherwise."""
    try:
        return parse_json(text, path)
    except InputError as err:
        if text.lstrip()[0] not in "{[":
            return _parse_yaml(text, path)
        if isinstance(err, TrailingDataError) and _starts_with_a_line_of_json(text, path):
            return _parse_jsonl(text, path)
        raise


def _starts_with_a_line_of_json(text: str, path: str) -> bool:
    try:
        return isinstance(parse_json(text.lstrip().partition("\n")[0], path).value, (dict, list))
    except InputError:
        return False


def _parse_jsonl(text: str, path: str) -> Document:
    lines = enumerate(text.split("\n"), 1)
    values = [parse_json(line, path, number).value for number, line in lines if line.strip()]
    return Document(values, path, text, "jsonl")


def _parse_yaml(text: str, path: str) -> Document:
    if len(text) > MAX_YAML_BYTES:
        raise _too_large(path, MAX_YAML_BYTES, "use JSON")
    from structag_cli.sources.yaml_source import parse_yaml

    return parse_yaml(text, path)


_PARSERS: dict[Kind, Callable[[str, str], Document]] = {
    "json": parse_json,
    "jsonl": _parse_jsonl,
    "yaml": _parse_yaml,
}


def read_text(path: str, limit: int = MAX_BYTES) -> str:
    """The text of a file or stdin, UTF-8 with or without a byte order mark.

    Raises:
        InputError: it is missing, unreadable, larger than ``limit`` bytes, not UTF-8.
    """
    return decode(read_bytes(path, limit), path)


def decode(data: bytes, path: str) -> str:
    """The text that bytes from a path are.

    Raises:
        InputError: they are not UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as err:
        before = data[: err.start]
        line = before.count(b"\n") + 1
        column = err.start - before.rfind(b"\n")
        raise InputError(
            f"not UTF-8: byte 0x{data[err.start]:02x} at offset {err.start}",
            place=Place(path, line, column),
            mend="save it as UTF-8",
        ) from None


def read_bytes(path: str, limit: int = MAX_BYTES) -> bytes:
    """The bytes of a file or stdin.

    Raises:
        InputError: it is missing, unreadable or larger than ``limit`` bytes.
    """
    with open_input(path) as stream:
        if _size(stream) > limit:
            raise _too_large(path, limit, "split it")
        try:
            data = stream.read(limit + 1)
        except OSError as err:
            raise _cannot_read(path, err) from None
    if len(data) > limit:
        raise _too_large(path, limit, "split it")
    return data


def _size(stream: BinaryIO) -> int:
    """The size of a file, 0 for what has none: a pipe, a terminal, memory."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def _cannot_read(path: str, err: Exception) -> InputError:
    reason = getattr(err, "strerror", None) or str(err)
    return InputError(f"cannot read: {reason}", place=Place(path))


def _too_large(path: str, limit: int, mend: str) -> InputError:
    size = f"{limit // (1024 * 1024)} MiB" if limit >= 1024 * 1024 else f"{limit} bytes"
    return InputError(f"larger than {size}", place=Place(path), mend=mend)


def open_input(path: str) -> BinaryIO:
    """A binary stream of a file or stdin.

    Raises:
        InputError: there is no such file, or it cannot be opened.
    """
    if path == "-":
        return _open_stdin()
    try:
        return open(path, "rb")
    except IsADirectoryError:
        raise InputError("is a folder, not a file", place=Place(path)) from None
    except FileNotFoundError:
        raise InputError("no such file", place=Place(path)) from None
    except (OSError, ValueError) as err:
        raise _cannot_read(path, err) from None


def _open_stdin() -> BinaryIO:
    if sys.stdin is None:
        raise InputError("stdin is closed", place=Place("-"))
    try:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    except io.UnsupportedOperation:  # a stand-in without a file, as test runners give
        return io.BytesIO(sys.stdin.buffer.read())
    except (OSError, ValueError) as err:
        raise _cannot_read("-", err) from None


def iter_jsonl(
    source: str | BinaryIO, file: str = "-"
) -> Iterator[tuple[int, Document | InputError]]:
    """Stream a log, a line at a time, in constant memory.

    Args:
        source: a path, ``-`` for stdin, or an open stream.
        file: what to call an open stream in places.

    Yields:
        The line's number (from 1) and its document, or the error that makes it
        unreadable. Blank lines are passed over.

    Raises:
        InputError: the log itself cannot be opened or read on.
    """
    if not isinstance(source, str):
        yield from _stream(source, file)
        return
    with open_input(source) as stream:
        yield from _stream(stream, source)


def _stream(stream: BinaryIO, path: str) -> Iterator[tuple[int, Document | InputError]]:
    number = 0
    while line := _line(stream, path):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            _skip_line(stream, line, path)
            place = Place(path, number, 1)
            yield number, InputError(f"a line over {MAX_LINE_BYTES} bytes", place=place)
        elif line.strip():
            yield number, _row(line, path, number)


def _line(stream: BinaryIO, path: str) -> bytes:
    try:
        return stream.readline(MAX_LINE_BYTES + 1)
    except OSError as err:
        raise _cannot_read(path, err) from None


def _skip_line(stream: BinaryIO, line: bytes, path: str) -> None:
    while line and not line.endswith(b"\n"):
        line = _line(stream, path)


def _row(line: bytes, path: str, number: int) -> Document | InputError:
    try:
        text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        # Without its break: what a line lacks at its end is not missing in the next.
        return parse_json(text.rstrip("\r\n"), path, number)
    except UnicodeDecodeError as err:
        return InputError(
            f"not UTF-8: byte 0x{line[err.start]:02x}", place=Place(path, number, err.start + 1)
        )
    except InputError as err:
        return err
