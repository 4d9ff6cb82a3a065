"""Strings that may hold the text that ends them: the grammar goes on, a parser cuts there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from structag_cli.json_values import as_list
from structag_cli.lint.closings import CLOSINGS
from structag_cli.lint.deep.matching import Matching
from structag_cli.lint.deep.result import CUT, CUT_INSIDE, Mismatch
from structag_cli.lint.deep.slots import Slot
from structag_cli.lint.deep.strings import valid_strings
from structag_cli.lint.deep.view import types_of

_AT_FAULT = ("pattern", "minLength", "maxLength", "enum", "const", "format")
_MOST = 60


def cuts(matching: Matching, places: Iterator[Slot]) -> Iterator[Mismatch]:
    """One for each parameter whose text may hold its own end."""
    closing = CLOSINGS.get(matching.style, "")
    known: set[str] = set()
    for number, slot in enumerate(places if closing else ()):
        if number >= _MOST:
            return
        if slot.depth == 0 or "string" not in types_of(slot.schema):
            continue
        for text in _holding(slot.schema, closing):
            whole = slot.wrap(text)
            if not isinstance(whole, Mapping):  # a root that is no object has no parameters
                break
            parameter = _parameter(whole, text)
            if parameter in known:
                break
            written = _cut(matching, whole, parameter)
            if written is not None:
                known.add(parameter)
                yield _found(slot, written, whole[parameter] != text)
                break


def _holding(schema: Mapping[str, Any], closing: str) -> Iterator[str]:
    """Strings of a node that hold the closing text, as far as its keywords go."""
    members = [*as_list(schema.get("enum")), schema.get("const")]
    yield from (each for each in members if isinstance(each, str) and closing in each)
    low = schema.get("minLength")
    length = min(low, 10_000) if isinstance(low, int) else 0
    seed = next(iter(valid_strings(schema)), "a")
    for text in (f"a{closing}b", f"{seed}{closing}{seed}", f"1{closing}1"):
        yield text.ljust(length, text[-1])


def _parameter(whole: Mapping[str, Any], text: str) -> str:
    """Which parameter a text was put in."""
    quoted = json.dumps(text)
    return next(
        (key for key, value in whole.items() if value == text or quoted in json.dumps(value)), ""
    )


def _cut(matching: Matching, whole: Any, parameter: str) -> str | None:
    """The written arguments, if the grammar takes them and a parser reads others from them."""
    read = matching.written(whole)
    if read is None:
        return None
    text, arguments = read
    if (arguments or {}).get(parameter) == whole.get(parameter) or not matching.accepts(text):
        return None
    return text


def _found(slot: Slot, text: str, inside: bool) -> Mismatch:
    keyword = next((key for key in _AT_FAULT if key in slot.schema), "type")
    return Mismatch("drops", keyword, slot.pointer, CUT_INSIDE if inside else CUT, text, None)
