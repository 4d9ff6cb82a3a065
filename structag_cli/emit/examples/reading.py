"""How xgrammar 0.2.9 reads a schema: what it takes for closed, open, or any value at all."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from structag_cli.emit.examples.trouble import NoExample

ANNOTATIONS = {"type", "title", "description", "default", "$schema"}

SHAPES = {
    *("type", "properties", "additionalProperties", "unevaluatedProperties", "items"),
    *("prefixItems", "unevaluatedItems", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"),
}
"""Keywords that make xgrammar read a schema as something else than any value."""

KEYWORD_TYPES = (
    ("object", ("properties", "required", "additionalProperties", "minProperties")),
    ("array", ("items", "prefixItems", "minItems", "maxItems")),
    ("number", ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")),
    ("string", ("minLength", "maxLength", "pattern", "format")),
)

FREE = "\0free"
"""Marks a merged schema that xgrammar takes for any value."""

INDIRECT = "\0indirect"
"""Marks a schema reached by ``$ref`` or a single ``allOf``: there xgrammar closes even a
bare object or array, which elsewhere it leaves open."""


def resolve(root: Any, reference: Any) -> Any:
    """What a local ``$ref`` points to.

    Raises:
        NoExample: it leads outside the document or nowhere.
    """
    if reference == "#":
        return root
    if not isinstance(reference, str) or not reference.startswith("#/"):
        raise NoExample(f"the reference {reference!r}, which is not local")
    target = root
    for part in reference[2:].split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(target, Mapping) and key in target:
            target = target[key]
        elif isinstance(target, list) and key.isdigit() and int(key) < len(target):
            target = target[int(key)]
        else:
            raise NoExample(f"the reference {reference!r}, which leads nowhere")
    return target


def of_distinct_types(branches: list[Any]) -> bool:
    """Whether each branch has a type of its own, so that no value fits two."""
    kinds = [b.get("type") if isinstance(b, Mapping) else None for b in branches]
    return None not in kinds and len({str(kind) for kind in kinds}) == len(kinds)


def is_closed(schema: Any) -> bool:
    """Whether the schema forbids properties that it does not declare."""
    return isinstance(schema, Mapping) and schema.get("additionalProperties") is False


def types_of(schema: Mapping[str, Any]) -> list[str]:
    """The types that the schema names, none if it names none."""
    kind = schema.get("type")
    if isinstance(kind, str):
        return [kind]
    return [str(item) for item in kind] if isinstance(kind, list) else []


def kinds_of(value: Any) -> set[str]:
    """The JSON Schema types of a value."""
    if value is None:
        return {"null"}
    if isinstance(value, bool):
        return {"boolean"}
    if isinstance(value, (int, float)):
        return {"number", "integer"} if value == int(value) else {"number"}
    return {"string"} if isinstance(value, str) else {_container(value)}


def _container(value: Any) -> str:
    return "object" if isinstance(value, dict) else "array"


def other_properties(schema: Mapping[str, Any], free: bool, all_closed: bool) -> Any:
    """The schema of properties that are not declared; ``False``: there may be none."""
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if keyword in schema:
            return schema[keyword]
    return free or (_is_bare(schema) and not all_closed)


def item_schema(schema: Mapping[str, Any], free: bool, all_closed: bool) -> Any:
    """The schema of the items after the prefix; ``False``: there may be none."""
    for keyword in ("items", "unevaluatedItems"):
        if keyword in schema:
            if isinstance(schema[keyword], list):
                raise NoExample("a list of `items`, which xgrammar refuses")
            return schema[keyword]
    return free or (_is_bare(schema) and not all_closed)


def _is_bare(schema: Mapping[str, Any]) -> bool:
    """Nothing but a type: such an object or array may hold anything."""
    return set(schema) <= ANNOTATIONS and isinstance(schema.get("type"), (str, list))


def mapping(schema: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A keyword whose value must be an object."""
    value = schema.get(key, {})
    if not isinstance(value, Mapping):
        raise NoExample(f"`{key}` that is no object")
    return value


def count(schema: Mapping[str, Any], key: str, default: int) -> int:
    """A keyword whose value must be a count."""
    value = schema.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise NoExample(f"{key} {value!r}")
    return value


def text_of(value: Any) -> str:
    """The value as a text that equal values share."""
    return json.dumps(value, sort_keys=True, default=str)


INDIRECTIONS = re.compile(r'"(\$ref|allOf)":')
