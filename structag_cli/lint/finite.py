"""Schemas that only endless values fit: recursion without a way out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from structag_cli.lint.deep.view import target
from structag_cli.lint.reach import reachable


def endless(schema: Any) -> list[tuple[str, str]]:
    """Pointer and text of each reference that no finite value satisfies."""
    nodes = {pointer: node for node, pointer in reachable(schema)}
    if not any(isinstance(n, Mapping) and "$ref" in n for n in nodes.values()):
        return []
    finite: set[str] = set()
    grown = True
    while grown:
        new = {p for p, n in nodes.items() if p not in finite and _ends(n, p, schema, finite)}
        finite |= new
        grown = bool(new)
    return [
        (pointer, node["$ref"])
        for pointer, node in nodes.items()
        if pointer not in finite and isinstance(node, Mapping) and _leads(node, schema)
    ]


def chain(ref: str, schema: Any) -> list[str]:
    """The references from one on that lead round without any schema; empty if none do."""
    passed: list[str] = []
    while ref not in passed:
        passed.append(ref)
        led = target(ref, schema)
        if (
            led is None
            or not isinstance(led[0], Mapping)
            or not isinstance(led[0].get("$ref"), str)
        ):
            return []
        ref = led[0]["$ref"]
    return [*passed, ref]


def _leads(node: Mapping[str, Any], schema: Any) -> bool:
    return target(node.get("$ref"), schema) is not None


def _ends(node: Any, here: str, root: Any, finite: set[str]) -> bool:
    """Whether some value of a node is finite, by what is known of the nodes below."""
    if not isinstance(node, Mapping):
        return True
    led = target(node.get("$ref"), root)
    if led is not None and led[1] not in finite:
        return False
    for key, some in (("anyOf", any), ("oneOf", any), ("allOf", all)):
        branches = node.get(key)
        listed = branches if isinstance(branches, list) else []
        if listed and not some(f"{here}/{key}/{i}" in finite for i in range(len(listed))):
            return False
    return all(below in finite for below in _needed(node, here))


def _needed(node: Mapping[str, Any], here: str) -> list[str]:
    """The schemas of which every value of this node holds one."""
    from structag_cli.place import escape_pointer

    kind = node.get("type")
    needed: list[str] = []
    declared, required = node.get("properties"), node.get("required")
    if kind in (None, "object") and isinstance(declared, Mapping) and isinstance(required, list):
        names = [name for name in required if isinstance(name, str) and name in declared]
        needed += [f"{here}/properties/{escape_pointer(name)}" for name in names]
    least = node.get("minItems")
    if kind == "array" and isinstance(least, int) and least > 0:
        first = node.get("prefixItems")
        count = min(least, len(first)) if isinstance(first, list) else 0
        needed += [f"{here}/prefixItems/{i}" for i in range(count)]
        if least > count and isinstance(node.get("items"), Mapping):
            needed.append(f"{here}/items")
    return needed
