"""Gemma 4: a brace notation with bare keys and strings between quote tokens.

A string ends at the first quote token; numbers and the rest are JSON.
Source: the chat template, and what xgrammar 0.2.9 accepts.
"""

from __future__ import annotations

import re
from typing import Any

from structag_cli.reader.json_text import dumps, loads
from structag_cli.reader.styles.trouble import BrokenError, CutError
from structag_cli.reader.values import Parsed

QUOTE = '<|"|>'
_KEY = re.compile(r"\s*([^:{}\[\],\n]{1,200}?)\s*:\s*")
_CUT_KEY = re.compile(r"[^:{}\[\],\n]*")
_ATOM = re.compile(r"[^,{}\[\]\s]+")
_SPACE = re.compile(r"\s*")


class _Gemma:
    def render(self, arguments: dict[str, Any], schema: Any) -> str:
        """The notation, keys in the order of the arguments."""
        return _text(arguments)

    def parse(self, text: str, at: int, schema: Any) -> Parsed:
        """One braced object."""
        faults: list[str] = []
        try:
            value, end = _value(text, at, faults)
        except CutError:
            return Parsed(None, len(text), ("the text ends inside a value",), truncated=True)
        except (BrokenError, RecursionError):
            return Parsed(None, at, ("not Gemma's notation",))
        if not isinstance(value, dict):
            return Parsed(None, at, ("the arguments are no object",))
        return Parsed(value, end, tuple(faults))


def _text(value: Any) -> str:
    if isinstance(value, str):
        return f"{QUOTE}{value}{QUOTE}"
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_text, value)) + "]"
    return dumps(value)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    at = match.end() if match else at
    if at >= len(text):
        raise CutError
    return at


def _value(text: str, at: int, faults: list[str]) -> tuple[Any, int]:
    at = _skip(text, at)
    if text[at] == "{":
        return _object(text, at + 1, faults)
    if text[at] == "[":
        return _list(text, at + 1, faults)
    if text.startswith(QUOTE, at):
        end = text.find(QUOTE, at + len(QUOTE))
        if end < 0:
            raise CutError
        return text[at + len(QUOTE) : end], end + len(QUOTE)
    if QUOTE.startswith(text[at:]):
        raise CutError
    match = _ATOM.match(text, at)
    if match is None:
        raise BrokenError
    try:
        return loads(match.group()), match.end()
    except ValueError:
        raise (CutError if match.end() == len(text) else BrokenError) from None


def _object(text: str, at: int, faults: list[str]) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    at = _skip(text, at)
    while text[at] != "}":
        match = _KEY.match(text, at)
        if match is None:
            raise BrokenError if _CUT_KEY.fullmatch(text, at) is None else CutError
        key = match.group(1)
        if key in found:
            faults.append(f"parameter {key} stands twice, the last one counts")
        found[key], at = _value(text, match.end(), faults)
        at = _comma(text, at, "}")
    return found, at + 1


def _list(text: str, at: int, faults: list[str]) -> tuple[list[Any], int]:
    found: list[Any] = []
    at = _skip(text, at)
    while text[at] != "]":
        value, at = _value(text, at, faults)
        found.append(value)
        at = _comma(text, at, "]")
    return found, at + 1


def _comma(text: str, at: int, closing: str) -> int:
    at = _skip(text, at)
    if text[at] == ",":
        return _skip(text, at + 1)
    if text[at] != closing:
        raise BrokenError
    return at


GEMMA = _Gemma()
