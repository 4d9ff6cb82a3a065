"""Where each JSON value stands: scans of text that the standard parser keeps no places for.

``json_offset`` goes straight to one value of a valid text. ``spots`` gives every key and
value of any text, to find what is wrong with it; it is iterative, so depth costs nothing
but memory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, Literal, NamedTuple

from structag_cli.sources.document import line_starts

_skip_value: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
_SPACE = re.compile(r"[ \t\r\n]*")
_LONG = 64
"""Elements; places in longer lists are kept."""

_ATOM = re.compile(r"[^\s,\]\}:\"\[\{]+")


class Spot(NamedTuple):
    """A key or a value of a text.

    ``text`` is the string itself, a bracket, or the number or word as written; ``depth``
    counts the containers around it; ``first`` is, for a key that its object had before,
    the offset where it stood then.
    """

    event: Literal["value", "key"]
    offset: int
    depth: int
    text: str
    first: int | None = None


def spots(text: str) -> Iterator[Spot]:
    """Every key and value in order. Stops quietly where the text is not JSON."""
    levels: list[dict[str, int] | None] = []  # an object's keys so far; None for a list
    expect_key = False
    at = _next(text, 0)
    while at < len(text):
        char = text[at]
        end = at + 1
        if char == '"':
            try:
                string, end = scanstring(text, end, True)
            except ValueError:
                return
            keys = levels[-1] if expect_key else None
            if keys is None:
                yield Spot("value", at, len(levels), string)
            else:
                first = keys.setdefault(string, at)
                yield Spot("key", at, len(levels), string, None if first == at else first)
            expect_key = False
        elif char in "{[":
            yield Spot("value", at, len(levels), char)
            levels.append({} if char == "{" else None)
            expect_key = char == "{"
        elif char in "}],":
            if not levels:
                return
            if char != ",":
                levels.pop()
            expect_key = char == "," and levels[-1] is not None
        elif char != ":":
            atom = _ATOM.match(text, at)
            if atom is None:
                return
            yield Spot("value", at, len(levels), atom.group())
            end = atom.end()
        at = _next(text, end)


def json_offset(text: str, pointer: str) -> int:
    """The offset of the value at a pointer, of the nearest one above it if there is none."""
    return _descend(text, 0, pointer.split("/")[1:])


def jsonl_offset(text: str, pointer: str) -> int:
    """As ``json_offset``, where the document is the list of a text's non-blank lines."""
    first, *rest = pointer.split("/")[1:] or [""]
    rows = _rows(text)
    if not first.isdecimal() or int(first) >= len(rows):
        return 0
    return _descend(text, rows[int(first)], rest)


@lru_cache(maxsize=2)
def _rows(text: str) -> tuple[int, ...]:
    """Where each line begins that is not blank."""
    starts = line_starts(text)
    ends = (*starts[1:], len(text))
    return tuple(at for at, end in zip(starts, ends, strict=True) if text[at:end].strip())


def unescape_pointer(token: str) -> str:
    """The key that a JSON pointer segment stands for."""
    return token.replace("~1", "/").replace("~0", "~")


def _descend(text: str, at: int, tokens: list[str]) -> int:
    """Step from a value to the one below it; what lies beside the way is skipped in C."""
    at = _next(text, at)
    try:
        for token in tokens:
            find = _member if text[at] == "{" else _element if text[at] == "[" else None
            found = find and find(text, at, token)
            if found is None:
                break
            at = found
    except (ValueError, IndexError, StopIteration, RecursionError):
        pass  # the text is not JSON; what was found so far is the best there is
    return at


def _member(text: str, at: int, token: str) -> int | None:
    """The offset of a value in the object at ``at``."""
    wanted = unescape_pointer(token)
    at = _next(text, at + 1)
    while text[at] == '"':
        key, at = scanstring(text, at + 1, True)
        at = _next(text, _next(text, at) + 1)
        if key == wanted:
            return at
        at = _next(text, _skip_value(text, at)[1])
        if text[at] != ",":
            return None
        at = _next(text, at + 1)
    return None


def _element(text: str, at: int, token: str) -> int | None:
    """The offset of a value in the list at ``at``."""
    if not token.isdecimal():
        return None
    index = int(token)
    if index >= _LONG:
        known = _elements(text, at)
        return known[index] if index < len(known) else None
    return next(islice(_each(text, at), index, None), None)


@lru_cache(maxsize=2)
def _elements(text: str, at: int) -> tuple[int, ...]:
    """All of a long list: a finding in each of its values must not read it from the start."""
    return tuple(_each(text, at))


def _each(text: str, at: int) -> Iterator[int]:
    """The offsets of the values in the list at ``at``, as far as the text is JSON."""
    at = _next(text, at + 1)
    if text[at] == "]":
        return
    while True:
        yield at
        try:
            at = _next(text, _skip_value(text, at)[1])
            if text[at] != ",":
                return
        except (ValueError, IndexError, StopIteration, RecursionError):
            return
        at = _next(text, at + 1)


def _next(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]
