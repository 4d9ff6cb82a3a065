"""MiniMax M3: nested elements, each mark behind the namespace token."""

from __future__ import annotations

import re
from typing import Any

from structag_cli.reader.styles.json_style import dumps
from structag_cli.reader.types import allowed_types, decode, properties_of, resolved
from structag_cli.reader.values import Parsed

NAMESPACE = "]<]minimax[>["
_OPEN = re.compile(r"\s*" + re.escape(NAMESPACE) + r"<([^/>\s]+)>")


class _MinimaxM3:
    def render(self, arguments: dict[str, Any], schema: Any) -> str:
        """One element a parameter; objects and lists nest."""
        return "".join(_element(key, value) for key, value in arguments.items())

    def parse(self, text: str, at: int, schema: Any) -> Parsed:
        """Elements up to the first text that is none."""
        value, end, complete = _children(text, at, schema, schema)
        return Parsed(value if complete else None, end, truncated=not complete)


def _element(key: str, value: Any) -> str:
    if isinstance(value, dict):
        inner = "".join(_element(k, v) for k, v in value.items())
    elif isinstance(value, list):
        inner = "".join(_element("item", v) for v in value)
    else:
        inner = value if isinstance(value, str) else dumps(value)
    return f"{NAMESPACE}<{key}>{inner}{NAMESPACE}</{key}>"


def _children(text: str, at: int, schema: Any, root: Any) -> tuple[dict[str, Any], int, bool]:
    properties = properties_of(resolved(schema, root))
    found: dict[str, Any] = {}
    while match := _OPEN.match(text, at):
        key = match.group(1)
        if key.startswith("invoke"):
            break
        value, at, complete = _content(text, match.end(), key, properties.get(key, True), root)
        if not complete:
            return found, at, False
        found[key] = value
    return found, at, True


def _content(text: str, at: int, key: str, schema: Any, root: Any) -> tuple[Any, int, bool]:
    closing = f"{NAMESPACE}</{key}>"
    types = allowed_types(schema, root)
    if _OPEN.match(text, at) and types & {"object", "array"}:
        value, end, complete = _nested(text, at, schema, root)
        close = re.compile(r"\s*" + re.escape(closing)).match(text, end)
        return value, close.end() if close else len(text), complete and close is not None
    closed = text.find(closing, at)
    if closed < 0:
        return None, len(text), False
    return decode(text[at:closed], schema, root), closed + len(closing), True


def _nested(text: str, at: int, schema: Any, root: Any) -> tuple[Any, int, bool]:
    first = _OPEN.match(text, at)
    if first is None or first.group(1) != "item" or "item" in properties_of(resolved(schema, root)):
        return _children(text, at, schema, root)
    found = resolved(schema, root)
    items = found.get("items", True) if isinstance(found, dict) else True
    values: list[Any] = []
    while (match := _OPEN.match(text, at)) and match.group(1) == "item":
        value, at, complete = _content(text, match.end(), "item", items, root)
        if not complete:
            return values, at, False
        values.append(value)
    return values, at, True


MINIMAX_M3 = _MinimaxM3()
