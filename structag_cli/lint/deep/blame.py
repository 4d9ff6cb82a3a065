"""Which schema node refuses: from the byte of a refusal to the value in which it lies."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from structag_cli.lint.deep.view import resolve
from structag_cli.place import escape_pointer

Path = list[str | int]


def refusing_node(schema: Any, pointer: str, value: Any, position: int) -> str:
    """The innermost declared node whose value holds the byte, in the JSON of an instance."""
    root = schema
    for step in _path(value, position):
        schema, pointer = resolve(schema, pointer, root)
        below = _below(schema, step)
        if below is None:
            return pointer
        schema, pointer = below[0], pointer + below[1]
    return resolve(schema, pointer, root)[1]


def _below(schema: Any, step: str | int) -> tuple[Any, str] | None:
    if not isinstance(schema, Mapping):
        return None
    if isinstance(step, str):
        declared = schema.get("properties")
        if isinstance(declared, Mapping) and step in declared:
            return declared[step], f"/properties/{escape_pointer(step)}"
        return None
    prefix = schema.get("prefixItems")
    if isinstance(prefix, list) and step < len(prefix):
        return prefix[step], f"/prefixItems/{step}"
    items = schema.get("items")
    return (items, "/items") if isinstance(items, Mapping) else None


def _path(value: Any, position: int) -> Path:
    """Keys and indices that lead to the innermost member that holds a byte."""
    members: list[tuple[str | int, Any, int]] = []
    at = 1
    if isinstance(value, dict):
        for key, each in value.items():
            at += _length(key) + 2
            members.append((key, each, at))
            at += _length(each) + 2
    elif isinstance(value, list):
        for index, each in enumerate(value):
            members.append((index, each, at))
            at += _length(each) + 2
    for step, each, start in members:
        if start <= position < start + _length(each):
            return [step, *_path(each, position - start)]
    return []


def _length(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode())
