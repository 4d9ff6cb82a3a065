"""The schema nodes below a schema: places where a schema stands, not data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from structag_cli.place import escape_pointer

_ONE = {
    *("additionalProperties", "additionalItems", "contains", "not", "if", "then", "else"),
    *("propertyNames", "unevaluatedItems", "unevaluatedProperties", "items", "contentSchema"),
}
_MANY = {"allOf", "anyOf", "oneOf", "prefixItems", "items"}
_NAMED = {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
_MOST = 50_000


def subschemas(schema: Any, pointer: str = "") -> Iterator[tuple[Mapping[str, Any], str]]:
    """Every object schema below, itself first, with its pointer."""
    pending = [(schema, pointer)]
    count = 0
    while pending and count < _MOST:
        node, here = pending.pop()
        if not isinstance(node, Mapping):
            continue
        count += 1
        yield node, here
        pending += reversed(children(node, here))


def children(node: Mapping[str, Any], pointer: str = "") -> list[tuple[Any, str]]:
    """What stands directly below a schema where a schema is wanted, with its pointer."""
    below: list[tuple[Any, str]] = []
    for key, value in node.items():
        at = f"{pointer}/{escape_pointer(str(key))}"
        if key in _NAMED and isinstance(value, Mapping):
            below += [(v, f"{at}/{escape_pointer(str(k))}") for k, v in value.items()]
        elif key in _MANY and isinstance(value, list):
            below += [(v, f"{at}/{i}") for i, v in enumerate(value)]
        elif key in _ONE:
            below.append((value, at))
        elif key == "dependencies" and isinstance(value, Mapping):
            below += [(v, f"{at}/{escape_pointer(str(k))}") for k, v in value.items()]
    return below
