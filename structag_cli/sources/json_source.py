"""JSON, read strictly: what would be dropped or misread in silence is an error."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from structag_cli.errors import InputError
from structag_cli.sources.document import Document, line_column, place_of
from structag_cli.sources.json_places import spots

MAX_DEPTH = 128
"""Deepest nesting that is read: Dynamo's own JSON parser (serde_json) stops there too."""

_NOT_NUMBERS = ("NaN", "Infinity", "-Infinity")
_SURROGATE = re.compile("[\ud800-\udfff]")


class _DuplicateKeyError(ValueError):
    """A key stands twice in one object."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise _DuplicateKeyError
    return result


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def parse_json(text: str, file: str, first_line: int = 1) -> Document:
    """Parse one JSON document.

    Raises:
        InputError: invalid JSON, a duplicate key, nesting beyond ``MAX_DEPTH``, a lone
            surrogate, NUL, a number that JSON does not have or Python cannot hold.
    """
    document = Document(None, file, text, "json", first_line)
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except json.JSONDecodeError as err:
        raise _syntax(document, text, err) from None
    except RecursionError:
        raise _too_deep(document, text) from None
    except ValueError as err:
        raise _fault(document, text, err) from None
    if text.count("{") + text.count("[") > MAX_DEPTH:
        _check_depth(document, text)
    if "\\u" in text:
        _check_strings(document, text)
    return Document(value, file, text, "json", first_line)


def _syntax(document: Document, text: str, err: json.JSONDecodeError) -> InputError:
    place = place_of(text, err.pos, document)
    if err.msg == "Extra data":
        return InputError(
            "invalid JSON: a second value after the first",
            place=place,
            mend="one document a file; one value a line needs the suffix .jsonl",
        )
    return InputError(f"invalid JSON: {err.msg}", place=place)


def _too_deep(document: Document, text: str) -> InputError:
    offset = next((s.offset for s in spots(text) if s.depth > MAX_DEPTH), 0)
    return InputError(
        f"nested more than {MAX_DEPTH} deep",
        place=place_of(text, offset, document),
        mend="flatten it",
    )


def _check_depth(document: Document, text: str) -> None:
    depth = 0
    for char in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[{\]}]', text):
        mark = char.group()
        depth += (mark in "[{") - (mark in "]}") if len(mark) == 1 else 0
        if depth > MAX_DEPTH:
            raise _too_deep(document, text)


def _fault(document: Document, text: str, err: ValueError) -> InputError:
    """A well-formed text that still cannot be used: find the place and say why."""
    seen: dict[tuple[int, tuple[str, ...]], int] = {}
    for spot in spots(text):
        place = place_of(text, spot.offset, document)
        if spot.event == "key":
            first = seen.setdefault((spot.depth, spot.path), spot.offset)
            if first != spot.offset:
                line, column = line_column(text, first)
                return InputError(
                    f"duplicate key {spot.text!r}, first at line "
                    f"{line + document.first_line - 1}, column {column}",
                    place=place,
                    mend="keep one",
                )
        elif spot.event == "value" and spot.text in _NOT_NUMBERS:
            return InputError(f"JSON has no {spot.text}", place=place)
        elif spot.event == "value" and len(spot.text) > 4000 and text[spot.offset] != '"':
            return InputError("a number with thousands of digits", place=place)
    return InputError(f"invalid JSON: {err}", place=document.place)


def _check_strings(document: Document, text: str) -> None:
    """Refuse what JSON's escapes can smuggle in: lone surrogates and NUL."""
    if "\\u0000" not in text and "\\ud" not in text.lower():
        return
    for spot in spots(text):
        fault = string_fault(spot.text)
        if fault:
            raise InputError(
                f"{fault} in a string",
                place=place_of(text, spot.offset, document),
                mend="remove it",
            )


def string_fault(string: str) -> str | None:
    """What makes a string unusable, if anything."""
    if "\0" in string:
        return "NUL (\\u0000)"
    if _SURROGATE.search(string):
        return "a lone surrogate (\\ud800 to \\udfff)"
    return None
