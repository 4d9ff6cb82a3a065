"""JSON, read strictly: what would be dropped or misread in silence is an error."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from structag_cli.errors import InputError
from structag_cli.sources.document import Document, line_column, place_of
from structag_cli.sources.json_places import Spot, spots

MAX_DEPTH = 128
"""Deepest nesting that is read: Dynamo's own JSON parser (serde_json) stops there too."""

_NOT_NUMBERS = ("NaN", "Infinity", "-Infinity")
_NUL = "NUL (\\u0000)"
_LONE = "a lone surrogate (\\ud800 to \\udfff)"
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<bad>u0000|u[dD][89a-fA-F]..)|.)",
    re.DOTALL,
)
"""Every escape of a JSON text, whole pairs of surrogates before lone ones."""


class TrailingDataError(InputError):
    """A second value stands after the first."""


class _DuplicateKeyError(ValueError):
    """A key stands twice in one object."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise _DuplicateKeyError
    return result


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(digits)
    return value


_decode = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_float=_finite
).decode


def parse_json(text: str, file: str, first_line: int = 1) -> Document:
    """Parse one JSON document.

    Raises:
        InputError: invalid JSON, a duplicate key, nesting beyond ``MAX_DEPTH``, a lone
            surrogate, NUL, a number that JSON does not have or Python cannot hold.
        TrailingDataError: a second value after the first.
    """
    try:
        value = _decode(text)
    except json.JSONDecodeError as err:
        raise _syntax(Document(None, file, text, "json", first_line), err) from None
    except RecursionError:
        raise _too_deep(Document(None, file, text, "json", first_line)) from None
    except ValueError as err:
        raise _fault(Document(None, file, text, "json", first_line), err) from None
    document = Document(value, file, text, "json", first_line)
    if text.count("{") + text.count("[") > MAX_DEPTH and _is_too_deep(value):
        raise _too_deep(document)
    if "\\u" in text:
        _check_escapes(document)
    return document


def _syntax(document: Document, err: json.JSONDecodeError) -> InputError:
    place = place_of(err.doc, err.pos, document)
    if err.msg == "Extra data":
        return TrailingDataError(
            "invalid JSON: a second value after the first",
            place=place,
            mend="one document a file; one value a line needs the suffix .jsonl",
        )
    message = err.msg.removesuffix(" at").removesuffix(" starting")
    return InputError(f"invalid JSON: {message}", place=place)


def _too_deep(document: Document) -> InputError:
    found = spots(document.text or "")
    deep = (s.offset for s in found if s.depth >= MAX_DEPTH and s.text in ("{", "["))
    return InputError(
        f"nested more than {MAX_DEPTH} deep",
        place=place_of(document.text or "", next(deep, 0), document),
        mend="flatten it",
    )


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            child
            for one in level
            for child in (one.values() if type(one) is dict else one)
            if type(child) is dict or type(child) is list
        ]
        if not level:
            return False
    return True


def _fault(document: Document, err: ValueError) -> InputError:
    """A well-formed text that still cannot be used: find the place and say why."""
    text = document.text or ""
    for spot in spots(text):
        message, mend = "", ""
        if spot.first is not None:
            line, column = line_column(text, spot.first)
            line += document.first_line - 1
            message = f"duplicate key {spot.text!r:.60}, first at line {line}, column {column}"
            mend = "keep one"
        elif spot.event == "value" and text[spot.offset] not in '"{[':
            message = _number_fault(spot)
        if message:
            return InputError(message, place=place_of(text, spot.offset, document), mend=mend)
    return InputError(f"invalid JSON: {err}", place=document.place)


def _number_fault(spot: Spot) -> str:
    if spot.text in _NOT_NUMBERS:
        return f"JSON has no {spot.text}"
    if spot.text in ("true", "false", "null"):
        return ""
    try:
        if spot.text.lstrip("-").isdecimal():
            int(spot.text)
        else:
            _finite(spot.text)
    except ValueError:
        return (
            "a number with thousands of digits"
            if len(spot.text) > 4000
            else (f"the number {spot.text:.40} is too large")
        )
    return ""


def _check_escapes(document: Document) -> None:
    """Refuse what JSON's escapes can smuggle in: lone surrogates and NUL."""
    text = document.text or ""
    if "\\u0000" not in text and "\\ud" not in text and "\\uD" not in text:
        return
    if not any(escape["bad"] for escape in _ESCAPE.finditer(text)):
        return
    for spot in spots(text):
        fault = string_fault(spot.text)
        if fault:
            place = place_of(text, spot.offset, document)
            raise InputError(f"{fault} in a string", place=place, mend="remove it")


def string_fault(string: str) -> str | None:
    """What makes a string unusable, if anything."""
    if "\0" in string:
        return _NUL
    if _SURROGATE.search(string):
        return _LONE
    return None
