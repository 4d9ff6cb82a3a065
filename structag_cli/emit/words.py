"""How texts, lists and counts are written for people: every character visible."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

LONGEST = 240
"""Characters of one text shown in full; the middle of a longer one is left out."""

_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\"}


def visible(text: str) -> str:
    """The text on one line: line breaks as ``\\n``, whatever cannot be printed escaped."""
    return "".join(_escaped(char) for char in text)


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def quoted(text: str) -> str:
    """The text in backticks, so that its first and last space can be seen."""
    if not text:
        return "nothing"
    return f"`{visible(shortened(text))}`"


def shortened(text: str) -> str:
    """The text, without its middle if it is very long."""
    if len(text) <= LONGEST:
        return text
    half = LONGEST // 2
    return f"{text[:half]} [... {len(text) - 2 * half:,} characters ...] {text[-half:]}"


def printable(text: str) -> str:
    """The text with its line breaks and tabs, other control characters escaped."""
    return "".join(c if c in "\n\t" or c.isprintable() else _escaped(c) for c in text)


def value_text(value: Any, longest: int = 60) -> str:
    """A JSON value, cut where it gets long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return visible_json(text if len(text) <= longest else text[: longest - 3] + "...")


def visible_json(text: str) -> str:
    """JSON text with what cannot be printed escaped; JSON has escaped the rest."""
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def listed(texts: Iterable[Any], word: str = "or", most: int = 8) -> str:
    """``a, b or c`` of quoted texts; token ids stay numbers."""
    shown = [quoted(t) if isinstance(t, str) else f"token {t}" for t in texts]
    if len(shown) > most:
        shown = [*shown[: most - 1], f"{len(shown) - most + 1:,} more"]
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} {word} {shown[-1]}"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """``1 tag``, ``1,024 tags``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def bounds(low: Any, high: Any, noun: str = "") -> str:
    """``2 to 5 items``, ``at least 2 items``, ``at most 5 items``, or nothing."""
    tail = f" {noun}" if noun else ""
    if low is not None and high is not None:
        return f"exactly {low}{tail}" if low == high else f"{low} to {high}{tail}"
    if low is not None:
        return f"at least {low}{tail}"
    return f"at most {high}{tail}" if high is not None else ""
