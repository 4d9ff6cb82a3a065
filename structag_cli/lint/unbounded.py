"""Values that nothing but the token limit ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from structag_cli.json_values import text_at
from structag_cli.lint.deep.view import target
from structag_cli.lint.reach import reachable

_SHORT = {"date", "time", "date-time", "uuid", "ipv4", "ipv6", "duration"}
_LISTED = {"enum", "const", "$ref", "anyOf", "oneOf", "allOf"}


def without_bound(schema: Any) -> Iterator[tuple[str, str]]:
    """Pointer and kind of each: ``array``, ``object``, ``recursion``, ``string``."""
    for node, pointer in reachable(schema):
        if not isinstance(node, Mapping):
            continue
        led = target(node.get("$ref"), schema)
        if led is not None and _within(pointer, led[1]):
            yield pointer, "recursion"
        if _LISTED & set(node):
            continue
        kinds = node.get("type")
        for kind in kinds if isinstance(kinds, list) else [kinds]:
            if isinstance(kind, str) and _open(kind, node):
                yield pointer, kind


def _within(pointer: str, other: str) -> bool:
    return pointer == other or pointer.startswith(f"{other}/")


def _open(kind: str, node: Mapping[str, Any]) -> bool:
    """Whether values of this type can grow for ever (as xgrammar 0.2.9 compiles them)."""
    if kind == "array":
        fixed = isinstance(node.get("prefixItems"), list) and "items" not in node
        return "maxItems" not in node and node.get("items") is not False and not fixed
    if kind == "object":
        more = node.get("additionalProperties")
        bare = not node.get("properties") and "patternProperties" not in node
        free = isinstance(more, Mapping) or more is True or (bare and more is None)
        return free and "maxProperties" not in node and "required" not in node
    if kind == "string":
        return (
            "maxLength" not in node
            and "pattern" not in node
            and text_at(node, "format") not in _SHORT
        )
    return False
