"""Keywords that contradict each other, and that xgrammar compiles all the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from structag_cli.lint.deep.view import resolve
from structag_cli.reader.json_text import dumps

_CHECKED = (
    *("type", "minLength", "maxLength", "minimum", "maximum", "multipleOf"),
    *("exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems"),
)
_MOST = 1000


def contradictions(node: Mapping[str, Any], root: Any) -> Iterator[tuple[str, str]]:
    """Keyword and message of each contradiction in one schema (xgrammar 0.2.9, measured)."""
    yield from _listed(node)
    for key in ("anyOf", "oneOf"):
        if node.get(key) == []:
            yield key, f"an empty {key} allows no value; the grammar writes nothing in its place"
    members = node.get("allOf")
    if isinstance(members, list) and 1 < len(members) <= 50:
        flat = [resolve(member, "", root)[0] for member in members]
        clash = next((_clash(a, b) for a, b in combinations(flat, 2) if _clash(a, b)), "")
        if clash:
            yield "allOf", f"{clash}, so no value fits; the grammar accepts any JSON value"


def _listed(node: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Values of enum or const that the keywords beside them forbid."""
    key = "enum" if isinstance(node.get("enum"), list) else "const"
    if key not in node or "$ref" in node:
        return
    values = node[key][:_MOST] if key == "enum" else [node[key]]
    fits = _judge({k: node[k] for k in _CHECKED if k in node})
    null = node.get("nullable") is True
    wrong = [v for v in values if not (v is None and null) and not fits(v)]
    if not wrong:
        return
    shown = ", ".join(dumps(v)[:40] for v in wrong[:4])
    beside = ", ".join(f"{k} {dumps(node[k])[:40]}" for k in _CHECKED if k in node)
    none = "; no value is left" if len(wrong) == len(values) else ""
    yield key, f"{key} lists {shown}, forbidden by {beside}{none}; the grammar accepts it"


def _judge(schema: Mapping[str, Any]) -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError:
        return lambda value: True  # T010 says so
    valid = Draft202012Validator(schema).is_valid

    def fits(value: Any) -> bool:
        try:
            return bool(valid(value))
        except ArithmeticError:
            return True  # numbers beyond what can be divided here say nothing

    return fits


def _clash(one: Any, other: Any) -> str:
    """Why two members of ``allOf`` exclude each other; empty where that is not plain."""
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        return ""
    if "const" in one and "const" in other and one["const"] != other["const"]:
        return f"const {dumps(one['const'])[:40]} and const {dumps(other['const'])[:40]}"
    first, second = _types(one), _types(other)
    if first and second and not first & second:
        return f"type {'/'.join(sorted(first))} and type {'/'.join(sorted(second))}"
    return ""


def _types(node: Mapping[str, Any]) -> set[str]:
    kinds = node.get("type")
    listed = [kinds] if isinstance(kinds, str) else kinds if isinstance(kinds, list) else []
    found = {kind for kind in listed if isinstance(kind, str)}
    return found | {"integer"} if "number" in found else found
