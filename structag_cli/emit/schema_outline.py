"""A JSON Schema in a few words a line: types, required properties, bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from structag_cli.emit.words import bounds, counted, quoted, value_text
from structag_cli.json_values import as_list, as_mapping

DEEPEST = 6
"""Levels of properties that are shown."""

_SHOWN_IN_WORDS = {
    *("type", "properties", "required", "additionalProperties", "items", "prefixItems"),
    *("enum", "const", "$ref", "anyOf", "oneOf", "allOf", "minItems", "maxItems", "uniqueItems"),
    *("minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum"),
    *("exclusiveMaximum", "multipleOf", "minProperties", "maxProperties"),
    *("title", "description", "default", "examples", "$defs", "definitions", "$schema", "$id"),
    *("$comment", "deprecated", "readOnly", "writeOnly"),
}


def schema_line(schema: Any) -> str:
    """One line for a schema, without its properties."""
    if schema is True or schema == {}:
        return "anything"
    if schema is False:
        return "nothing at all (false)"
    if not isinstance(schema, Mapping):
        return f"not a schema: {value_text(schema)}"
    parts = [_what(schema), *_limits(schema)]
    others = [key for key in schema if key not in _SHOWN_IN_WORDS]
    if others:
        parts.append(f"also {', '.join(map(str, others[:6]))}")
    return ", ".join(part for part in parts if part)


def schema_lines(schema: Any, limit: int | None = None) -> list[tuple[int, str]]:
    """The properties of a schema and theirs, each with its depth; ``limit``: at most so many."""
    lines: list[tuple[int, str]] = []
    _collect(schema, 0, lines)
    if limit is None or len(lines) <= limit + 1:
        return lines
    kept = lines[:limit]
    return [*kept, (0, f"... and {counted(len(lines) - limit, 'more line')} (--all shows them)")]


def _collect(schema: Any, depth: int, lines: list[tuple[int, str]]) -> None:
    if not isinstance(schema, Mapping):
        return
    if depth >= DEEPEST:
        if schema.get("properties") or schema.get("items"):
            lines.append((depth, "..."))
        return
    required = schema.get("required")
    names = required if isinstance(required, list) else []
    for name, sub in as_mapping(schema.get("properties")).items():
        need = "required" if name in names else "optional"
        lines.append((depth, f"{quoted(name)} {need}: {schema_line(sub)}"))
        _collect(sub, depth + 1, lines)
    _collect_others(schema, depth, lines)


def _collect_others(schema: Mapping[str, Any], depth: int, lines: list[tuple[int, str]]) -> None:
    """Items, alternatives and definitions that have something below them."""
    items = schema.get("items")
    if isinstance(items, Mapping) and items.get("properties"):
        _collect(items, depth, lines)
    elif isinstance(items, Mapping):
        _collect_others(items, depth, lines)
    for keyword, word in (("anyOf", "either"), ("oneOf", "either"), ("allOf", "all of")):
        for branch in as_list(schema.get(keyword)):
            if isinstance(branch, Mapping) and _has_more(branch):
                lines.append((depth, f"{word} {schema_line(branch)}"))
                _collect(branch, depth + 1, lines)
    for keyword in ("$defs", "definitions"):
        for name, sub in as_mapping(schema.get(keyword)).items():
            lines.append((depth, f"#/{keyword}/{name}: {schema_line(sub)}"))
            _collect(sub, depth + 1, lines)


def _has_more(branch: Mapping[str, Any]) -> bool:
    return any(branch.get(key) for key in ("properties", "items", "anyOf", "oneOf", "allOf"))


def _what(schema: Mapping[str, Any]) -> str:
    """What kind of value it is."""
    if isinstance(schema.get("$ref"), str):
        return f"as {schema['$ref']}"
    if "const" in schema:
        return f"exactly {value_text(schema['const'])}"
    if isinstance(schema.get("enum"), list):
        return _enum(schema["enum"])
    for keyword, word in (("anyOf", " or "), ("oneOf", " or "), ("allOf", " and ")):
        branches = as_list(schema.get(keyword))
        if branches:
            texts = [_brief(branch) for branch in branches[:6]]
            texts += ["..."] if len(branches) > 6 else []
            return word.join(texts)
    types = schema.get("type")
    if isinstance(types, list):
        return " or ".join(_typed(str(kind), schema) for kind in types)
    if types is not None:
        return _typed(str(types), schema)
    if "properties" in schema:
        return _typed("object", schema)
    return _typed("array", schema) if "items" in schema else "any type"


def _typed(kind: str, schema: Mapping[str, Any]) -> str:
    if kind == "object":
        return _object(schema)
    if kind == "array":
        return _array(schema)
    return kind


def _object(schema: Mapping[str, Any]) -> str:
    properties = as_mapping(schema.get("properties"))
    text = "object"
    if properties:
        required = [
            name
            for name in as_list(schema.get("required"))
            if isinstance(name, str) and name in properties
        ]
        text += f" with {counted(len(properties), 'property', 'properties')}"
        text += f" ({len(required)} required)"
    additional = schema.get("additionalProperties")
    if additional is True:
        text += ", others allowed"
    elif isinstance(additional, Mapping):
        text += f", others allowed: {_brief(additional)}"
    elif additional is False:
        text += ", no others" if properties else " without properties"
    return text


def _array(schema: Mapping[str, Any]) -> str:
    items = schema.get("items")
    prefix = as_list(schema.get("prefixItems"))
    if prefix:
        return f"array of {', '.join(_brief(item) for item in prefix[:6])}"
    return f"array of {_brief(items)}" if isinstance(items, Mapping) else "array"


def _brief(schema: Any) -> str:
    """A schema in a word or two."""
    text = schema_line(schema)
    return text if len(text) <= 80 else text[:77] + "..."


def _enum(values: list[Any]) -> str:
    shown = [value_text(value, 30) for value in values[:8]]
    more = f" or {len(values) - 8:,} more" if len(values) > 8 else ""
    if len(values) == 1:
        return f"exactly {shown[0]}"
    return f"one of {', '.join(shown)}{more}"


def _limits(schema: Mapping[str, Any]) -> list[str]:
    low = schema.get("minimum")
    high = schema.get("maximum")
    parts = [
        bounds(schema.get("minLength"), schema.get("maxLength"), "characters"),
        bounds(low, high),
        bounds(schema.get("minItems"), schema.get("maxItems"), "items"),
        bounds(schema.get("minProperties"), schema.get("maxProperties"), "properties"),
    ]
    for keyword, words in _KEYWORD_WORDS:
        if schema.get(keyword) is not None:
            parts.append(words.format(value_text(schema[keyword])))
    if isinstance(schema.get("pattern"), str):
        parts.append(f"pattern {quoted(schema['pattern'])}")
    if schema.get("uniqueItems"):
        parts.append("all different")
    return parts


_KEYWORD_WORDS = (
    ("exclusiveMinimum", "above {}"),
    ("exclusiveMaximum", "below {}"),
    ("multipleOf", "a multiple of {}"),
    ("format", "format {}"),
)
