"""What a schema says about a value that carries no type: the parser decodes by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from structag_cli.reader.json_text import loads

ANY = frozenset({"string", "integer", "number", "boolean", "null", "object", "array"})

_MAX_REFS = 32
_MAX_DEPTH = 64
_BRANCHES = ("anyOf", "oneOf", "allOf")


def property_schema(schema: Any, key: str, root: Any) -> Any:
    """What an object schema says about one property, ``True`` where it says nothing.

    Local references are followed, and the branches of ``anyOf``, ``oneOf`` and ``allOf``
    are looked into; where several declare the property, any of them may hold.
    """
    found: list[Any] = []
    rest: list[Any] = []
    for member in _members(schema, root):
        properties = member.get("properties")
        if isinstance(properties, Mapping) and key in properties:
            found.append(properties[key])
        elif isinstance(member.get("additionalProperties"), Mapping):
            rest.append(member["additionalProperties"])
    found = found or rest
    if not found:
        return True
    return found[0] if len(found) == 1 else {"anyOf": found}


def item_schema(schema: Any, index: int, root: Any) -> Any:
    """What an array schema says about one item, ``True`` where it says nothing."""
    for member in _members(schema, root):
        first = member.get("prefixItems")
        if isinstance(first, list) and index < len(first):
            return first[index]
        if isinstance(member.get("items"), Mapping):
            return member["items"]
    return True


def declares(schema: Any, key: str, root: Any) -> bool:
    """Whether an object schema names a property."""
    members = _members(schema, root)
    return any(key in (m.get("properties") or {}) for m in members)


def _members(schema: Any, root: Any) -> Iterator[Mapping[str, Any]]:
    """The schema and its branches, references followed, each once."""
    seen: set[int] = set()
    waiting = [schema]
    while waiting:
        found = resolved(waiting.pop(0), root)
        if not isinstance(found, Mapping) or id(found) in seen:
            continue
        seen.add(id(found))
        yield found
        for key in _BRANCHES:
            branches = found.get(key)
            waiting += branches if isinstance(branches, list) else []


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


def allowed_types(schema: Any, root: Any) -> frozenset[str]:
    """The JSON types that a schema allows; all of them where it does not say."""
    return _types(schema, root, {}, 0) or ANY


def _types(
    schema: Any, root: Any, known: dict[int, frozenset[str] | None], depth: int
) -> frozenset[str] | None:
    """The types; ``None`` for a schema that is being looked at already."""
    found = resolved(schema, root)
    if not isinstance(found, Mapping) or depth > _MAX_DEPTH:
        return ANY
    if id(found) in known:
        return known[id(found)]
    known[id(found)] = None
    types = _own_types(found)
    for key in ("anyOf", "oneOf"):
        if isinstance(found.get(key), list):
            members = (_types(member, root, known, depth + 1) for member in found[key])
            types &= frozenset().union(*(member or () for member in members))
    for member in found.get("allOf") or ():
        inner = _types(member, root, known, depth + 1)
        types &= ANY if inner is None else inner
    known[id(found)] = types
    return types


def _own_types(schema: Mapping[str, Any]) -> frozenset[str]:
    declared = schema.get("type")
    listed = [declared] if isinstance(declared, str) else declared
    types = ANY
    if isinstance(listed, list):
        types = _with_integers(name for name in listed if isinstance(name, str)) & ANY or ANY
    values = _listed_values(schema)
    if values is None:
        return types
    return types & _with_integers(map(type_name, values))


def _with_integers(names: Iterable[str]) -> frozenset[str]:
    found = frozenset(names)
    return found | {"integer"} if "number" in found else found


def _listed_values(schema: Mapping[str, Any]) -> list[Any] | None:
    """The only values that ``enum`` or ``const`` leaves, ``None`` without either."""
    if isinstance(schema.get("enum"), list):
        return list(schema["enum"])
    return [schema["const"]] if "const" in schema else None


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
    listed = _listed_string(text, resolved(schema, root))
    if listed is not None:
        return listed
    types = allowed_types(schema, root)
    if types == {"string"}:
        return text
    try:
        value = loads(text)
    except (ValueError, RecursionError):
        return text
    name = type_name(value)
    if name in types or (name == "number" and "integer" in types and value == int(value)):
        return value
    return text if "string" in types else value


def _listed_string(text: str, schema: Any) -> str | None:
    """The string of an ``enum`` or ``const`` that a text is, white space around it aside.

    xgrammar 0.2.9 allows any white space around a value in the XML styles; around one of
    a few given strings it cannot be meant.
    """
    values = _listed_values(schema) if isinstance(schema, Mapping) else None
    stripped = text.strip()
    if values is None or text in values or stripped not in values:
        return None
    return stripped
