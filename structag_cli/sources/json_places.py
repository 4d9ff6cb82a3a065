"""Where each JSON value stands: a scan of text that the standard parser has no places for.

The standard library's parser forgets offsets, and no maintained library keeps them
for plain JSON. The scan is iterative, so depth costs nothing but memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Literal

from structag_cli.place import escape_pointer

_SPACE = re.compile(r"[ \t\r\n]*")
_ATOM = re.compile(r"[^\s,\]\}:\"\[\{]+")

Event = Literal["value", "key", "end"]


@dataclass(slots=True)
class _Level:
    """An open container: its path segment so far, and the keys seen."""

    is_object: bool
    index: int = 0
    key: str = ""

    @property
    def segment(self) -> str:
        return escape_pointer(self.key) if self.is_object else str(self.index)


@dataclass(frozen=True, slots=True)
class Spot:
    """One event of the scan: a value or a key, its offset, depth and pointer parts."""

    event: Event
    offset: int
    depth: int
    path: tuple[str, ...]
    text: str


def spots(text: str) -> Iterator[Spot]:
    """Every key and value in order. Stops quietly where the text is not JSON."""
    levels: list[_Level] = []
    at = 0
    expect_key = False
    while True:
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        if at >= len(text):
            return
        char = text[at]
        if char == '"':
            try:
                string, end = scanstring(text, at + 1, True)
            except ValueError:
                return
            if expect_key:
                levels[-1].key = string
                yield Spot("key", at, len(levels), _path(levels), string)
                expect_key = False
            else:
                yield Spot("value", at, len(levels), _path(levels), string)
            at = end
        elif char in "{[":
            yield Spot("value", at, len(levels), _path(levels), char)
            levels.append(_Level(char == "{"))
            expect_key = char == "{"
            at += 1
        elif char in "}]":
            if not levels:
                return
            levels.pop()
            yield Spot("end", at, len(levels), _path(levels), char)
            expect_key = False
            at += 1
        elif char == ",":
            if not levels:
                return
            levels[-1].index += 1
            expect_key = levels[-1].is_object
            at += 1
        elif char == ":":
            at += 1
        else:
            match = _ATOM.match(text, at)
            if match is None:
                return
            yield Spot("value", at, len(levels), _path(levels), match.group())
            at = match.end()


def _path(levels: list[_Level]) -> tuple[str, ...]:
    return tuple(level.segment for level in levels)


def json_offset(text: str, pointer: str) -> int:
    """The offset of the value at a pointer, of the nearest one above it if there is none."""
    wanted = tuple(pointer.split("/")[1:])
    best, length = 0, -1
    for spot in spots(text):
        if spot.event != "value" or len(spot.path) <= length:
            continue
        if wanted[: len(spot.path)] == spot.path:
            best, length = spot.offset, len(spot.path)
            if length == len(wanted):
                break
    return best


def jsonl_offset(text: str, pointer: str) -> int:
    """As ``json_offset``, where the document is the list of a text's non-blank lines."""
    wanted, _, rest = pointer.lstrip("/").partition("/")
    start = index = 0
    for line in text.split("\n"):
        if line.strip():
            if str(index) == wanted:
                return start + json_offset(line, "/" + rest if rest else "")
            index += 1
        start += len(line) + 1
    return 0
