"""Cohere Command 5: nested value elements that carry their type.

A string is ``raw``, a scalar ``json``; an object (``dict``) and a list hold elements of
their own, an item without a name. Source: what xgrammar 0.2.9 accepts, run. JSON within a
``dict`` or a ``list``, which its tag refuses, is read too.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from structag_cli.reader.cuts import after_space
from structag_cli.reader.json_text import dumps, loads
from structag_cli.reader.styles.trouble import BrokenError, CutError
from structag_cli.reader.values import Parsed

_CLOSING = "</cofl:value>"
_OPENING = "<cofl:value"
_ELEMENT = re.compile(r'\s*<cofl:value(?: name="(?P<key>[^">]*)")? type="(?P<type>\w+)">')
_CLOSE = re.compile(r"\s*" + re.escape(_CLOSING))
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


class _Cohere:
    def render(self, arguments: dict[str, Any], schema: Any) -> str:
        """One element a parameter; objects and lists nest."""
        return "".join(_element(value, key) for key, value in arguments.items())

    def parse(self, text: str, at: int, schema: Any) -> Parsed:
        """Elements up to the first text that is none."""
        faults: list[str] = []
        try:
            found, end = _members(text, at, faults)
        except CutError:
            return Parsed(None, len(text), ("a value without an end",), truncated=True)
        except BrokenError as err:
            return Parsed(None, at, (str(err),))
        except RecursionError:
            return Parsed(None, at, ("nested too deep",))
        return Parsed(found, end, tuple(faults))


def _element(value: Any, key: str | None = None) -> str:
    if isinstance(value, str):
        kind, inner = "raw", value
    elif isinstance(value, dict):
        kind, inner = "dict", "".join(_element(item, name) for name, item in value.items())
    elif isinstance(value, list):
        kind, inner = "list", "".join(map(_element, value))
    else:
        kind, inner = "json", dumps(value)
    name = "" if key is None else f' name="{key.translate(_ESCAPES)}"'
    return f'{_OPENING}{name} type="{kind}">{inner}{_CLOSING}'


def _members(text: str, at: int, faults: list[str]) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    while match := _next(text, at):
        if match["key"] is None:
            raise BrokenError("a value without a name")
        key = unescape(match["key"])
        if key in found:
            faults.append(f"parameter {key} stands twice, the last one counts")
        found[key], at = _value(text, match, faults)
    return found, at


def _items(text: str, at: int, faults: list[str]) -> tuple[list[Any], int]:
    found: list[Any] = []
    while match := _next(text, at):
        value, at = _value(text, match, faults)
        found.append(value)
    return found, at


def _next(text: str, at: int) -> re.Match[str] | None:
    """The element that opens here; an opening that the end of the text cuts is a cut."""
    match = _ELEMENT.match(text, at)
    if match is None:
        rest = after_space(text, at)
        cut = rest.startswith(_OPENING) and ">" not in rest
        if cut or (rest and _OPENING.startswith(rest)):
            raise CutError
    return match


def _value(text: str, match: re.Match[str], faults: list[str]) -> tuple[Any, int]:
    kind, at = match["type"], match.end()
    if kind in ("dict", "list") and after_space(text, at, 1) not in ("{", "["):
        found, end = _members(text, at, faults) if kind == "dict" else _items(text, at, faults)
        return found, _closed(text, end)
    closed = text.find(_CLOSING, at)
    if closed < 0:
        raise CutError
    raw = text[at:closed]
    return raw if kind == "raw" else _json(raw, kind, faults), closed + len(_CLOSING)


def _closed(text: str, at: int) -> int:
    match = _CLOSE.match(text, at)
    if match is not None:
        return match.end()
    if _CLOSING.startswith(text[at:].strip()):
        raise CutError
    raise BrokenError("a value without an end")


def _json(raw: str, kind: str, faults: list[str]) -> Any:
    try:
        return loads(raw)
    except (ValueError, RecursionError):
        faults.append(f"a value marked {kind} is not JSON")
        return raw


COHERE = _Cohere()
