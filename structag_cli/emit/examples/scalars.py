"""Strings and numbers that a schema allows and that xgrammar accepts."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from structag_cli.emit.examples.regexes import matching_text
from structag_cli.emit.examples.trouble import NoExample

LONGEST = 10_000
"""Characters of the longest string that is made."""

FORMATS = {
    "date": "2025-01-15",
    "time": "12:30:00Z",
    "date-time": "2025-01-15T12:30:00Z",
    "duration": "P1D",
    "email": "ada@example.com",
    "idn-email": "ada@example.com",
    "hostname": "example.com",
    "idn-hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/a",
    "uri-reference": "/a",
    "iri": "https://example.com/a",
    "iri-reference": "/a",
    "uri-template": "https://example.com/{id}",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "json-pointer": "/a/0",
    "relative-json-pointer": "0/a",
    "regex": "a+",
}
"""A text for each format of JSON Schema; xgrammar 0.2.9 accepts each."""

_PLAIN = re.compile(r"[A-Za-z0-9][\w .,:@/+-]{0,60}(?<! )", re.ASCII)
_NEEDS_ESCAPE = re.compile(r'["\\\x00-\x1f\x7f]')


def string(schema: Mapping[str, Any], nth: int = 0) -> str:
    """A string; ``nth`` asks for another one than 0 gave.

    Raises:
        NoExample: the bounds cannot be met for certain.
    """
    low, high = _whole(schema, "minLength", 0), _whole(schema, "maxLength", None)
    if high is not None and low > high:
        raise NoExample("minLength above maxLength")
    if low > LONGEST:
        raise NoExample(f"a string of at least {low:,} characters")
    if "pattern" in schema:
        return _patterned(schema["pattern"], low, high, nth)
    kind = schema.get("format")
    if isinstance(kind, str) and kind in FORMATS:
        return _formatted(kind, low, high, nth)
    text = _suggested(schema) if nth == 0 else f"text {nth + 1}"
    if len(text) < low:
        text += "x" * (low - len(text))
    return text if high is None else _cut(text, low, high, nth)


def _cut(text: str, low: int, high: int, nth: int) -> str:
    if len(text) <= high:
        return text
    if high == 0 and nth == 0:
        return ""
    letter = chr(ord("a") + nth % 26)
    return (letter * max(low, min(high, 1)))[:high] if nth else text[:high].rstrip() or letter


def _patterned(pattern: Any, low: int, high: int | None, nth: int) -> str:
    """xgrammar drops the length bounds beside a pattern; the example keeps both."""
    if not isinstance(pattern, str):
        raise NoExample("a pattern that is no string")
    if nth:
        raise NoExample(f"several different texts for the pattern {pattern!r}")

    def fits(text: str) -> bool:
        # xgrammar matches a pattern between quotes as it stands: nothing can be escaped.
        return low <= len(text) <= (LONGEST if high is None else high) and not _NEEDS_ESCAPE.search(
            text
        )

    return matching_text(pattern, fits)


def _formatted(kind: str, low: int, high: int | None, nth: int) -> str:
    text = FORMATS[kind]
    if nth:
        raise NoExample(f"several different texts of the format {kind}")
    if len(text) < low or (high is not None and len(text) > high):
        raise NoExample(f"a text of the format {kind} within the bounds")
    return text


def _suggested(schema: Mapping[str, Any]) -> str:
    """The schema's own default or example, if it is plain."""
    offered = [schema.get("default")]
    given = schema.get("examples")
    offered += given if isinstance(given, list) else []
    for value in offered:
        if isinstance(value, str) and _PLAIN.fullmatch(value):
            return value
    return "text"


def _whole(schema: Mapping[str, Any], key: str, default: Any) -> Any:
    value = schema.get(key, default)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
        raise NoExample(f"{key} {value!r}")
    if value < 0:
        raise NoExample(f"{key} below 0")
    return int(value)


def number(schema: Mapping[str, Any], whole: bool, nth: int = 0) -> int | float:
    """An integer, or any number where ``whole`` is false.

    Raises:
        NoExample: the bounds cannot be met for certain.
    """
    low, low_open = _bound(schema, "minimum", "exclusiveMinimum", max)
    high, high_open = _bound(schema, "maximum", "exclusiveMaximum", min)
    step = _step(schema, whole)
    first = 1 if step is None or step.denominator != 1 else step
    value: Fraction = Fraction(first)
    if low is not None and (value < low or (low_open and value == low)):
        value = _above(low, low_open, step)
    elif high is not None and (value > high or (high_open and value == high)):
        value = _below(high, high_open, step)
    value += nth * (step or 1)
    if not _inside(value, low, low_open, high, high_open):
        value = _between(low, high, whole or step is not None or nth > 0)
    return _plain(value, whole)


def _plain(value: Fraction, whole: bool) -> int | float:
    """The number as Python writes it to JSON without an exponent."""
    if value.denominator == 1:
        if abs(value) >= 2**53:
            raise NoExample("numbers beyond 2**53")
        return int(value)
    if whole or "e" in repr(float(value)) or Fraction(repr(float(value))) != value:
        raise NoExample("a number within the bounds that is written without rounding")
    return float(value)


def _between(low: Fraction | None, high: Fraction | None, exact: bool) -> Fraction:
    if low is None or high is None or exact or low >= high:
        raise NoExample("a number within the bounds")
    for digits in range(1, 12):
        scale = 10**digits
        value = Fraction(math.floor(low * scale) + 1, scale)
        if low < value < high:
            return value
    raise NoExample("a number within the bounds")


def _above(low: Fraction, is_open: bool, step: Fraction | None) -> Fraction:
    unit = step or Fraction(1)
    value = math.ceil(low / unit) * unit
    return value + unit if is_open and value == low else value


def _below(high: Fraction, is_open: bool, step: Fraction | None) -> Fraction:
    unit = step or Fraction(1)
    value = math.floor(high / unit) * unit
    return value - unit if is_open and value == high else value


def _inside(
    value: Fraction, low: Fraction | None, low_open: bool, high: Fraction | None, high_open: bool
) -> bool:
    above = low is None or (value > low if low_open else value >= low)
    below = high is None or (value < high if high_open else value <= high)
    return above and below


def _bound(
    schema: Mapping[str, Any], closed: str, exclusive: str, tighter: Any
) -> tuple[Fraction | None, bool]:
    """The bound that binds, and whether it is itself excluded."""
    limits = [
        (_fraction(schema[key]), key == exclusive) for key in (closed, exclusive) if key in schema
    ]
    if not limits:
        return None, False
    value = tighter(limit for limit, _ in limits)
    return value, any(is_open for limit, is_open in limits if limit == value)


def _step(schema: Mapping[str, Any], whole: bool) -> Fraction | None:
    if "multipleOf" not in schema:
        return None
    step = _fraction(schema["multipleOf"])
    if step <= 0:
        raise NoExample(f"multipleOf {schema['multipleOf']!r}")
    return Fraction(step.numerator) if whole else step


def _fraction(value: Any) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise NoExample(f"the bound {value!r}")
    if isinstance(value, float) and not math.isfinite(value):
        raise NoExample(f"the bound {value!r}")
    return Fraction(str(value))
