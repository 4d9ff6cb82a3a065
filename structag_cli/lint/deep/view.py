"""A schema node as one flat view: references followed, ``allOf`` merged, a branch chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from structag_cli.json_values import as_list
from structag_cli.lint.deep.refs import references
from structag_cli.place import escape_pointer

TYPES = ("object", "array", "string", "integer", "number", "boolean", "null")

_REFS = ("$ref", "$dynamicRef", "$recursiveRef")
_NO_CONSTRAINT = {
    *("$defs", "definitions", "description", "title", "$schema", "$id", "id", "$comment"),
    *("$anchor", "$dynamicAnchor", "$recursiveAnchor"),
}
_MAX_REFS = 16
_MOST_BRANCHES = 16
_BY_KEYWORD = {
    "object": (
        *("properties", "required", "additionalProperties", "patternProperties"),
        *("propertyNames", "minProperties", "maxProperties", "dependentRequired"),
        *("dependentSchemas", "dependencies", "unevaluatedProperties"),
    ),
    "array": (
        *("items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"),
        *("additionalItems", "unevaluatedItems"),
    ),
    "string": ("minLength", "maxLength", "pattern", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}


def target(ref: Any, root: Any) -> tuple[Any, str] | None:
    """What a reference into this document leads to, and its pointer; ``None`` for any other."""
    return references(root).target(ref)


def resolve(schema: Any, pointer: str, root: Any) -> tuple[Any, str]:
    """A node without its leading references; siblings of ``$ref`` are merged in."""
    for _ in range(_MAX_REFS):
        word = next((w for w in _REFS if w in schema), "") if isinstance(schema, Mapping) else ""
        if not word:
            return schema, pointer
        found = target(schema[word], root)
        if found is None:
            return {k: v for k, v in schema.items() if k != word}, pointer
        rest = {k: v for k, v in schema.items() if k != word and k not in _NO_CONSTRAINT}
        there, pointer = found
        if rest and isinstance(there, Mapping):
            return merge(dict(there), rest, root), pointer
        schema = there
    return {}, pointer


def merge(one: Any, other: Any, root: Any, depth: int = 0) -> Any:
    """A node that is near to both: constraints of the second win, shapes are joined."""
    if not isinstance(one, Mapping):
        return other if one is not False else False
    if not isinstance(other, Mapping):
        return one if other is not False else False
    if depth > 6:
        return one
    found = dict(one)
    for key, value in other.items():
        found[key] = _joined(key, found[key], value, root, depth) if key in found else value
    return found


def _joined(key: str, one: Any, other: Any, root: Any, depth: int) -> Any:
    if key in ("properties", "patternProperties") and _both(one, other, Mapping):
        joined = dict(one)
        for name, schema in other.items():
            joined[name] = (
                merge(
                    resolve(joined[name], "", root)[0],
                    resolve(schema, "", root)[0],
                    root,
                    depth + 1,
                )
                if name in joined
                else schema
            )
        return joined
    if key in ("required", "allOf") and _both(one, other, list):
        return [*one, *(item for item in other if item not in one)]
    if key == "type":
        return _common_types(one, other)
    if key == "enum" and _both(one, other, list):
        return [item for item in one if item in other] or one
    if key in ("minimum", "minLength", "minItems", "minProperties", "exclusiveMinimum"):
        return max(one, other) if _numbers(one, other) else other
    if key in ("maximum", "maxLength", "maxItems", "maxProperties", "exclusiveMaximum"):
        return min(one, other) if _numbers(one, other) else other
    return other


def _both(one: Any, other: Any, kind: type) -> bool:
    return isinstance(one, kind) and isinstance(other, kind)


def _numbers(one: Any, other: Any) -> bool:
    return all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in (one, other))


def _common_types(one: Any, other: Any) -> Any:
    first = one if isinstance(one, list) else [one]
    second = other if isinstance(other, list) else [other]
    common = [t for t in first if t in second]
    if not common and ("number" in first and "integer" in second):
        return "integer"
    if not common and ("integer" in first and "number" in second):
        return "integer"
    return common or one


def flat(schema: Any, root: Any, choose: int = 0, depth: int = 0) -> dict[str, Any]:
    """The node with ``allOf`` and one branch of ``anyOf`` and ``oneOf`` merged in.

    ``choose`` numbers the branch; it wraps around.
    """
    node, _ = resolve(schema, "", root)
    if not isinstance(node, Mapping):
        return {} if node is not False else {"not": {}}
    found = dict(node)
    if depth > 8:
        return found
    for member in as_list(found.pop("allOf", None)):
        found = merge(found, flat(member, root, choose, depth + 1), root)
    groups = list(choices(found))
    for key in ("anyOf", "oneOf"):
        found.pop(key, None)
    for branches in groups:
        for part, _ in branches[choose % len(branches)]:
            inner = flat(part, root, choose // len(branches), depth + 1)
            found = merge(found, inner, root)
    return found


Branch = list[tuple[Any, str]]
"""Schemas that hold together, each with its pointer from the node."""


def choices(node: Mapping[str, Any]) -> Iterator[list[Branch]]:
    """What an instance of a node can choose from: groups of branches.

    Beside ``anyOf`` and ``oneOf``: to ignore ``if``, to satisfy it, or to take its ``else``;
    and to have a property that others depend on, or not.
    """
    for key in ("anyOf", "oneOf"):
        members = as_list(node.get(key))
        if members:
            yield [[(member, f"/{key}/{i}")] for i, member in enumerate(members)]
    if "if" in node and ("then" in node or "else" in node):
        holds = [(node[key], f"/{key}") for key in ("if", "then") if key in node]
        fails = [(node[key], f"/{key}") for key in ("else",) if key in node]
        yield [[], holds, *([fails] if fails else [])]
    for key in ("dependentSchemas", "dependencies"):
        given = node.get(key)
        wanted = given.items() if isinstance(given, Mapping) else ()
        branches: list[Branch] = [
            [({"required": [name]}, ""), (schema, f"/{key}/{escape_pointer(str(name))}")]
            for name, schema in wanted
            if isinstance(schema, Mapping)
        ]
        if branches:
            yield [[], *branches]


def branch_count(schema: Any, root: Any, depth: int = 0) -> int:
    """How many branches ``flat`` can choose from, those inside branches included."""
    node, _ = resolve(schema, "", root)
    if not isinstance(node, Mapping) or depth > 8:
        return 1
    count = 1
    for branches in choices(node):
        count *= len(branches)
        if count >= _MOST_BRANCHES:
            return _MOST_BRANCHES
        parts = (part for branch in branches for part, _ in branch)
        count *= max((branch_count(part, root, depth + 1) for part in parts), default=1)
    for member in as_list(node.get("allOf")):
        count = max(count, branch_count(member, root, depth + 1))
    return min(count, _MOST_BRANCHES)


def types_of(view: Mapping[str, Any]) -> list[str]:
    """The types that a flat view allows, the likeliest first."""
    declared = view.get("type")
    listed = [declared] if isinstance(declared, str) else as_list(declared)
    known = [t for t in listed if t in TYPES]
    if view.get("nullable") is True and known:
        known.append("null")
    if known:
        return known
    implied = [t for t, keys in _BY_KEYWORD.items() if any(key in view for key in keys)]
    return [
        *implied,
        *(
            t
            for t in ("string", "integer", "object", "array", "null", "boolean", "number")
            if t not in implied
        ),
    ]
