"""The key-value section of a GGUF file, where its tokenizer stands.

Read here rather than through the ``gguf`` package, which also walks every tensor and
takes seconds for a large vocabulary. The format: https://github.com/ggml-org/ggml/blob/
master/docs/gguf.md. Every length is checked against the file.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from structag_cli.tokenizers.source import broken, unreadable

_FORMATS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q"}
_FORMATS[12] = "d"
_STRING, _ARRAY = 8, 9
_MAX_STRING = 16 * 1024 * 1024
_MAX_ITEMS = 1 << 24
MAGIC = b"GGUF"


class Damaged(Exception):
    """The bytes are not what the format asks for."""


class _Reader:
    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def take(self, count: int) -> bytes:
        data = self._stream.read(count)
        if len(data) != count:
            raise Damaged("it ends early")
        return data

    def number(self, code: str) -> Any:
        return struct.unpack("<" + code, self.take(struct.calcsize(code)))[0]

    def string(self) -> bytes:
        size = self.number("Q")
        if size > _MAX_STRING:
            raise Damaged(f"a string of {size} bytes")
        return self.take(size)

    def value(self, kind: int) -> Any:
        if kind == _STRING:
            return self.string().decode("utf-8", "replace")
        if kind == _ARRAY:
            return self._array()
        if kind not in _FORMATS:
            raise Damaged(f"a value of unknown type {kind}")
        return self.number(_FORMATS[kind])

    def _array(self) -> list[Any]:
        kind, count = self.number("I"), self.number("Q")
        if count > _MAX_ITEMS or kind == _ARRAY:
            raise Damaged(f"an array of {count} items of type {kind}")
        if kind == _STRING:
            return [self.string().decode("utf-8", "replace") for _ in range(count)]
        if kind not in _FORMATS:
            raise Damaged(f"an array of unknown type {kind}")
        code = f"<{count}{_FORMATS[kind]}"
        return list(struct.unpack(code, self.take(struct.calcsize(code))))


def read_metadata(path: Path) -> Mapping[str, Any]:
    """Every key of the file, with its value.

    Raises:
        InputError: the file is unreadable or damaged.
    """
    try:
        told = path.stat()
        return _read(path, told.st_size, told.st_mtime_ns)
    except OSError as err:
        raise unreadable(path, err) from None
    except (Damaged, struct.error, OverflowError) as err:
        raise broken(path, f"not a readable GGUF file: {err}") from None


@lru_cache(maxsize=1)
def _read(path: Path, _size: int, _changed: int) -> dict[str, Any]:
    """Kept: one command asks for the pieces, the merges and the template of one file."""
    with path.open("rb") as stream:
        return _metadata(_Reader(stream))


def _metadata(reader: _Reader) -> dict[str, Any]:
    if reader.take(4) != MAGIC:
        raise Damaged("it does not start with GGUF")
    version = reader.number("I")
    if version not in (2, 3):
        raise Damaged(f"version {version}")
    _tensors, count = reader.number("Q"), reader.number("Q")
    if count > 1 << 16:
        raise Damaged(f"{count} keys")
    found: dict[str, Any] = {}
    for _ in range(count):
        key = reader.string().decode("utf-8", "replace")
        found[key] = reader.value(reader.number("I"))
    return found
