"""MiniMax M3: nested elements, each mark behind the namespace token.

Values carry no type, so the schema tells a list from an object and text from a number. An
empty list and an empty object are both an element with nothing in it.
Source: the chat template, and what xgrammar 0.2.9 accepts.
"""

from __future__ import annotations

import re
from typing import Any

from structag_cli.reader.cuts import after_space
from structag_cli.reader.json_text import dumps
from structag_cli.reader.styles.trouble import BrokenError, CutError
from structag_cli.reader.types import (
    allowed_types,
    declares,
    decode,
    item_schema,
    property_schema,
)
from structag_cli.reader.values import Parsed

NAMESPACE = "]<]minimax[>["
_OPEN = re.compile(r"\s*" + re.escape(NAMESPACE) + r"<(?!/|invoke name=)([^>\n]+)>")


class _MinimaxM3:
    def render(self, arguments: dict[str, Any], schema: Any) -> str:
        """One element a parameter; objects and lists nest."""
        return "".join(_element(key, value) for key, value in arguments.items())

    def parse(self, text: str, at: int, schema: Any) -> Parsed:
        """Elements up to the first text that is none."""
        reader = _Reader(text, schema)
        try:
            value, end = reader.members(at, schema)
        except CutError:
            return Parsed(None, len(text), ("a value without an end",), truncated=True)
        except BrokenError as err:
            return Parsed(None, at, (str(err),))
        except RecursionError:
            return Parsed(None, at, ("nested too deep",))
        return Parsed(value, end, tuple(reader.faults))


def _element(key: str, value: Any) -> str:
    if isinstance(value, dict):
        inner = "".join(_element(k, v) for k, v in value.items())
    elif isinstance(value, list):
        inner = "".join(_element("item", v) for v in value)
    else:
        inner = value if isinstance(value, str) else dumps(value)
    return f"{NAMESPACE}<{key}>{inner}{NAMESPACE}</{key}>"


class _Reader:
    """One pass over the arguments of one call."""

    def __init__(self, text: str, root: Any) -> None:
        self.text = text
        self.root = root
        self.faults: list[str] = []

    def members(self, at: int, schema: Any) -> tuple[dict[str, Any], int]:
        """The elements from here on as an object."""
        found: dict[str, Any] = {}
        while match := self._next(at):
            key = match[1]
            if key in found:
                self.faults.append(f"parameter {key} stands twice, the last one counts")
            found[key], at = self._value(match.end(), key, property_schema(schema, key, self.root))
        return found, at

    def _items(self, at: int, schema: Any) -> tuple[list[Any], int]:
        found: list[Any] = []
        while (match := self._next(at)) and match[1] == "item":
            inner = item_schema(schema, len(found), self.root)
            value, at = self._value(match.end(), "item", inner)
            found.append(value)
        return found, at

    def _next(self, at: int) -> re.Match[str] | None:
        match = _OPEN.match(self.text, at)
        if match is None:
            rest = after_space(self.text, at)
            opened = rest.startswith(f"{NAMESPACE}<") and not rest.startswith(f"{NAMESPACE}</")
            if (opened and ">" not in rest[len(NAMESPACE) :]) or (
                rest and f"{NAMESPACE}<".startswith(rest)
            ):
                raise CutError
        return match

    def _value(self, at: int, key: str, schema: Any) -> tuple[Any, int]:
        types = allowed_types(schema, self.root)
        closing = f"{NAMESPACE}</{key}>"
        if types & {"object", "array"} and (inner := self._next(at)):
            is_list = self._is_list(inner[1], schema, types)
            found, end = self._items(at, schema) if is_list else self.members(at, schema)
            return found, self._closed(end, closing)
        closed = self.text.find(closing, at)
        if closed < 0:
            raise CutError
        raw = self.text[at:closed]
        return self._scalar(raw, schema, types), closed + len(closing)

    def _is_list(self, first: str, schema: Any, types: frozenset[str]) -> bool:
        if "array" not in types or first != "item":
            return False
        return "object" not in types or not declares(schema, "item", self.root)

    def _scalar(self, raw: str, schema: Any, types: frozenset[str]) -> Any:
        if not raw.strip() and "string" not in types:
            if "object" in types:
                return {}
            if "array" in types:
                return []
        return decode(raw, schema, self.root)

    def _closed(self, at: int, closing: str) -> int:
        rest = after_space(self.text, at, len(closing))
        if rest.startswith(closing):
            return self.text.index(closing, at) + len(closing)
        if closing.startswith(rest):
            raise CutError
        raise BrokenError("an element without an end")


MINIMAX_M3 = _MinimaxM3()
