"""The schemas that xgrammar compiles: those that the root leads to, references followed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from structag_cli.lint.deep.view import target
from structag_cli.place import escape_pointer

_NAMED = ("properties", "patternProperties")
_LISTED = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_ALONE = ("items", "additionalProperties", "unevaluatedItems", "unevaluatedProperties")
_MOST = 50_000


def reachable(schema: Any) -> Iterator[tuple[Any, str]]:
    """Every schema that is compiled, ``True`` and ``False`` among them, with its pointer.

    Each place comes once. What stands under ``not``, ``if`` or ``contains`` is left out,
    since xgrammar 0.2.9 looks at none of them, and so are definitions that nothing refers to.
    """
    pending: list[tuple[Any, str]] = [(schema, "")]
    seen: set[str] = set()
    while pending and len(seen) < _MOST:
        node, here = pending.pop()
        if here in seen:
            continue
        seen.add(here)
        yield node, here
        if isinstance(node, Mapping):
            pending += reversed(below(node, here, schema))


def below(node: Mapping[str, Any], here: str, root: Any) -> list[tuple[Any, str]]:
    """The schemas right under one, the target of its reference among them."""
    found: list[tuple[Any, str]] = []
    for key in _NAMED:
        value = node.get(key)
        if isinstance(value, Mapping):
            found += [(v, f"{here}/{key}/{escape_pointer(str(k))}") for k, v in value.items()]
    for key in _LISTED:
        value = node.get(key)
        if isinstance(value, list):
            found += [(v, f"{here}/{key}/{i}") for i, v in enumerate(value)]
    for key in _ALONE:
        if isinstance(node.get(key), Mapping):
            found.append((node[key], f"{here}/{key}"))
    led = target(node.get("$ref"), root)
    return found if led is None else [*found, led]
