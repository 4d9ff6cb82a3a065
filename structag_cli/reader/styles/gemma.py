"""Gemma 4: a brace notation with bare keys and strings between quote tokens."""

from __future__ import annotations

import json
import re
from typing import Any

from structag_cli.reader.values import Parsed

QUOTE = '<|"|>'
_KEY = re.compile(r"\s*([^:{}\[\],\s]+)\s*:\s*")
_ATOM = re.compile(r"[^,{}\[\]\s]+")
_SPACE = re.compile(r"\s*")


class _CutError(Exception):
    """The text ended inside a value."""


class _BrokenError(Exception):
    """The text is no value."""


class _Gemma:
    def render(self, arguments: dict[str, Any], schema: Any) -> str:
        """The notation, keys in the order of the arguments."""
        return _text(arguments)

    def parse(self, text: str, at: int, schema: Any) -> Parsed:
        """One braced object."""
        try:
            value, end = _value(text, at)
        except _CutError:
            return Parsed(None, len(text), ("the text ends inside a value",), truncated=True)
        except (_BrokenError, RecursionError):
            return Parsed(None, at, ("not Gemma's notation",))
        if not isinstance(value, dict):
            return Parsed(None, at, ("the arguments are no object",))
        return Parsed(value, end)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return f"{QUOTE}{value}{QUOTE}"
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_text, value)) + "]"
    return json.dumps(value)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    at = match.end() if match else at
    if at >= len(text):
        raise _CutError
    return at


def _value(text: str, at: int) -> tuple[Any, int]:
    at = _skip(text, at)
    if text[at] == "{":
        return _object(text, at + 1)
    if text[at] == "[":
        return _list(text, at + 1)
    if text.startswith(QUOTE, at):
        end = text.find(QUOTE, at + len(QUOTE))
        if end < 0:
            raise _CutError
        return text[at + len(QUOTE) : end], end + len(QUOTE)
    if QUOTE.startswith(text[at:]):
        raise _CutError
    match = _ATOM.match(text, at)
    if match is None:
        raise _BrokenError
    try:
        return json.loads(match.group()), match.end()
    except ValueError:
        raise _BrokenError from None


def _object(text: str, at: int) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    at = _skip(text, at)
    while text[at] != "}":
        match = _KEY.match(text, at)
        if match is None:
            raise _BrokenError if _ATOM.fullmatch(text[at:]) is None else _CutError
        found[match.group(1)], at = _value(text, match.end())
        at = _comma(text, at, "}")
    return found, at + 1


def _list(text: str, at: int) -> tuple[list[Any], int]:
    found: list[Any] = []
    at = _skip(text, at)
    while text[at] != "]":
        value, at = _value(text, at)
        found.append(value)
        at = _comma(text, at, "]")
    return found, at + 1


def _comma(text: str, at: int, closing: str) -> int:
    at = _skip(text, at)
    if text[at] == ",":
        return _skip(text, at + 1)
    if text[at] != closing:
        raise _BrokenError
    return at


GEMMA = _Gemma()
