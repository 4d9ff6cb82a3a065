"""From a path or stdin to a document."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from structag_cli.errors import InputError
from structag_cli.place import Place
from structag_cli.sources.document import Document, Kind
from structag_cli.sources.json_source import parse_json

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


def read_document(path: str, *, kind: Kind | None = None) -> Document:
    """Read one document.

    Args:
        path: a file, or ``-`` for stdin.
        kind: how to read it; by default the suffix or else the content tells. The value
            of ``jsonl`` is the list of its lines' values.

    Raises:
        InputError: it is missing, unreadable, too large, or not what it should be.
    """
    text = read_text(path, MAX_BYTES)
    kind = kind or _SUFFIXES.get(Path(path).suffix.lower()) or _guess(text)
    if not text.strip():
        raise InputError("the input is empty", place=Place(path))
    if kind == "yaml":
        if len(text) > MAX_YAML_BYTES:
            raise _too_large(path, MAX_YAML_BYTES, "use JSON")
        from structag_cli.sources.yaml_source import parse_yaml

        return parse_yaml(text, path)
    if kind == "jsonl":
        values = [parse_json(line, path, number).value for number, line in _lines(text)]
        return Document(values, path, text, "jsonl")
    return parse_json(text, path)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip())


def _guess(text: str) -> Kind:
    return "json" if text.lstrip()[:1] in ("{", "[", '"', "") else "yaml"


def read_text(path: str, limit: int = MAX_BYTES) -> str:
    """The text of a file or stdin, UTF-8 with or without a byte order mark.

    Raises:
        InputError: it is missing, unreadable, larger than ``limit`` bytes, not UTF-8.
    """
    data = read_bytes(path, limit)
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
        try:
            data = stream.read(limit + 1)
        except OSError as err:
            raise InputError(f"cannot read: {err.strerror}", place=Place(path)) from None
    if len(data) > limit:
        raise _too_large(path, limit, "split it")
    return data


def _too_large(path: str, limit: int, mend: str) -> InputError:
    return InputError(f"larger than {limit // (1024 * 1024)} MiB", place=Place(path), mend=mend)


def open_input(path: str) -> BinaryIO:
    """A binary stream of a file or stdin.

    Raises:
        InputError: there is no such file, or it cannot be opened.
    """
    if path == "-":
        if sys.stdin is None:
            raise InputError("stdin is closed", place=Place("-"))
        return open(sys.stdin.fileno(), "rb", closefd=False)
    try:
        return open(path, "rb")
    except IsADirectoryError:
        raise InputError("is a folder, not a file", place=Place(path)) from None
    except FileNotFoundError:
        raise InputError("no such file", place=Place(path)) from None
    except (OSError, ValueError) as err:
        reason = getattr(err, "strerror", None) or str(err)
        raise InputError(f"cannot read: {reason}", place=Place(path)) from None


def iter_jsonl(path: str) -> Iterator[tuple[int, Document | InputError]]:
    """Stream a log, a line at a time, in constant memory.

    Yields:
        The line's number (from 1) and its document, or the error that makes it
        unreadable. Blank lines are passed over.

    Raises:
        InputError: the log itself cannot be opened.
    """
    with open_input(path) as stream:
        number = 0
        while line := stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            if len(line) > MAX_LINE_BYTES:
                _skip_line(stream, line)
                place = Place(path, number)
                yield number, InputError(f"a line over {MAX_LINE_BYTES} bytes", place=place)
            elif line.strip():
                yield number, _row(line, path, number)


def _skip_line(stream: BinaryIO, line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = stream.readline(MAX_LINE_BYTES)


def _row(line: bytes, path: str, number: int) -> Document | InputError:
    try:
        text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        return parse_json(text, path, number)
    except UnicodeDecodeError as err:
        return InputError(
            f"not UTF-8: byte 0x{line[err.start]:02x}", place=Place(path, number, err.start + 1)
        )
    except InputError as err:
        return err
