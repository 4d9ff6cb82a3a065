"""Which JSON types a schema allows: what a parser needs to decode an untyped value."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

ANY = frozenset({"string", "integer", "number", "boolean", "null", "object", "array"})

_MAX_REFS = 32


def properties_of(schema: Any) -> Mapping[str, Any]:
    """The declared properties of an object schema, local references followed."""
    found = resolved(schema, schema)
    properties = found.get("properties") if isinstance(found, Mapping) else None
    return properties if isinstance(properties, Mapping) else {}


def resolved(schema: Any, root: Any) -> Any:
    """The schema that a chain of local ``$ref`` leads to."""
    for _ in range(_MAX_REFS):
        if not isinstance(schema, Mapping) or not isinstance(schema.get("$ref"), str):
            return schema
        schema = _target(schema["$ref"], root)
    return True


def _target(ref: str, root: Any) -> Any:
    if not ref.startswith("#"):
        return True
    node = root
    for part in ref[1:].split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, Mapping) and key in node:
            node = node[key]
        elif isinstance(node, list) and key.isdigit() and int(key) < len(node):
            node = node[int(key)]
        else:
            return True
    return node


def allowed_types(schema: Any, root: Any, depth: int = 0) -> frozenset[str]:
    """The JSON types that a schema allows; all of them where it does not say."""
    found = resolved(schema, root)
    if not isinstance(found, Mapping) or depth > _MAX_REFS:
        return ANY
    types = _own_types(found)
    for key in ("anyOf", "oneOf"):
        if isinstance(found.get(key), list):
            members = (allowed_types(member, root, depth + 1) for member in found[key])
            types &= frozenset().union(*members)
    for member in found.get("allOf") or ():
        types &= allowed_types(member, root, depth + 1)
    return types or ANY


def _enum_member(text: str, schema: Any) -> str | None:
    """The member of an enum of strings that a text is, white space around it aside.

    xgrammar 0.2.9 allows any white space around a value in the XML styles; around a member
    of an enum it cannot be meant.
    """
    if not isinstance(schema, Mapping) or not isinstance(schema.get("enum"), list):
        return None
    stripped = text.strip()
    return stripped if text not in schema["enum"] and stripped in schema["enum"] else None


def _own_types(schema: Mapping[str, Any]) -> frozenset[str]:
    if isinstance(schema.get("enum"), list):
        return frozenset(type_name(value) for value in schema["enum"])
    if "const" in schema:
        return frozenset({type_name(schema["const"])})
    declared = schema.get("type")
    listed = [declared] if isinstance(declared, str) else declared
    if not isinstance(listed, list):
        return ANY
    types = {name for name in listed if name in ANY}
    if "number" in types:
        types.add("integer")
    return frozenset(types) or ANY


def type_name(value: Any) -> str:
    """The JSON type of a value."""
    if isinstance(value, bool):
        return "boolean"
    for kind, name in (
        (str, "string"),
        (int, "integer"),
        (float, "number"),
        (list, "array"),
        (dict, "object"),
    ):
        if isinstance(value, kind):
            return name
    return "null"


def decode(text: str, schema: Any, root: Any) -> Any:
    """An untyped value, decoded as engines do: by what the schema allows.

    A string schema takes the text as it is; other types are JSON. Where both are
    allowed, text that is JSON of an allowed type is that, and the rest is a string.
    """
    member = _enum_member(text, resolved(schema, root))
    if member is not None:
        return member
    types = allowed_types(schema, root)
    if types == {"string"}:
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    name = type_name(value)
    if name in types or (name == "number" and "integer" in types and value == int(value)):
        return value
    return text
