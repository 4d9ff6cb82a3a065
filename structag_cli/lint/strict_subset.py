"""OpenAI's strict subset of JSON Schema, point by point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from structag_cli.lint.nodes import subschemas

_UNSUPPORTED = (
    *("allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"),
    *("patternProperties", "propertyNames", "minProperties", "maxProperties"),
    *("unevaluatedProperties", "unevaluatedItems", "contains", "minContains", "maxContains"),
    *("uniqueItems", "prefixItems", "additionalItems", "dependencies"),
)
_COMBINATIONS = {
    *("allOf", "oneOf", "not", "if", "dependentSchemas", "dependencies", "patternProperties"),
    *("unevaluatedProperties", "$dynamicRef", "extends"),
}
"""Keywords with which closing one object can change what another part means."""
NOT_CLOSED = "strict: additionalProperties must be false"
_MOST_PROPERTIES = 5000
_MOST_ENUM = 1000
_DEEPEST = 10


def strict_faults(schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Pointer and message of each point at which a schema leaves the subset."""
    if schema.get("type") != "object":
        yield "", "strict: the root must be of type object"
    if "anyOf" in schema:
        yield "/anyOf", "strict: the root may not be anyOf"
    properties = values = 0
    for node, pointer in subschemas(schema):
        yield from _object_faults(node, pointer)
        for key in _UNSUPPORTED:
            if key in node:
                yield f"{pointer}/{key}", f"strict: {key} is not supported"
        declared, listed = node.get("properties"), node.get("enum")
        properties += len(declared) if isinstance(declared, Mapping) else 0
        values += len(listed) if isinstance(listed, list) else 0
        if pointer.count("/properties/") > _DEEPEST:
            yield pointer, f"strict: nested deeper than {_DEEPEST} levels"
    if properties > _MOST_PROPERTIES:
        yield "", f"strict: {properties} properties, {_MOST_PROPERTIES} are allowed"
    if values > _MOST_ENUM:
        yield "", f"strict: {values} enum values, {_MOST_ENUM} are allowed"


def _object_faults(node: Mapping[str, Any], pointer: str) -> Iterator[tuple[str, str]]:
    kind = node.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    if "object" not in kinds and "properties" not in node:
        return
    if node.get("additionalProperties") is not False:
        yield pointer, NOT_CLOSED
    declared, required = node.get("properties"), node.get("required")
    names = set(required) if isinstance(required, list) and _all_texts(required) else set()
    missing = [name for name in declared if name not in names] if _is_map(declared) else []
    if missing:
        shown = ", ".join(map(str, missing[:5]))
        yield pointer, f"strict: every property must be required, {shown[:120]} is not"


def closable(schema: Mapping[str, Any]) -> Iterator[str]:
    """Pointers of the objects whose closing says no more than ``strict`` does.

    They list their properties and leave the question open. None is where schemas are
    combined anywhere: a closed part refuses the properties of the others.
    """
    nodes = list(subschemas(schema))
    if any(_combines(node) for node, _ in nodes):
        return
    for node, pointer in nodes:
        if "additionalProperties" not in node and _is_map(node.get("properties")):
            yield pointer


def _combines(node: Mapping[str, Any]) -> bool:
    beside = "properties" in node and ("anyOf" in node or "$ref" in node)
    return beside or not _COMBINATIONS.isdisjoint(node)


def _all_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_map(value: Any) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, Mapping)
