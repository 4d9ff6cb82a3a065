"""Bounds that no value keeps, and for which xgrammar refuses the whole schema."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from structag_cli.json_values import finite


@dataclass(frozen=True, slots=True)
class Impossible:
    """What makes a schema impossible: the keyword to point at, and the words."""

    keyword: str
    message: str


_PAIRS = {
    "string": (("minLength", "maxLength"),),
    "array": (("minItems", "maxItems"),),
    "object": (("minProperties", "maxProperties"),),
}
_ELSEWHERE = {"enum", "const", "$ref", "anyOf", "oneOf", "allOf"}


def impossible(schema: Any) -> Iterator[Impossible]:
    """Why no value fits a schema, judged by the node alone (xgrammar 0.2.9 refuses each)."""
    if schema is False:
        yield Impossible("", "`false` allows no value")
    if not isinstance(schema, Mapping):
        return
    if schema.get("enum") == [] and "$ref" not in schema:
        yield Impossible("enum", "an empty enum allows no value")
    if _ELSEWHERE & set(schema):
        return  # bounds beside these are not compiled
    for kind in _kinds(schema):
        for low, high in _PAIRS.get(kind, ()):
            least, most = _count(schema, low), _count(schema, high, math.inf)
            if most < 0:
                yield Impossible(high, f"{high} {most} is below zero")
            elif least > most:
                yield Impossible(low, f"{low} {least} is above {high} {most}")
        if kind == "object":
            yield from _object(schema)
        elif kind == "array":
            yield from _array(schema)
        elif kind in ("integer", "number"):
            yield from _number(schema, whole=kind == "integer")


def _kinds(schema: Mapping[str, Any]) -> list[str]:
    """The types whose bounds are compiled: all that are named; without a name, few are."""
    named = schema.get("type")
    listed = named if isinstance(named, list) else [named]
    found = [kind for kind in listed if isinstance(kind, str)]
    return found or (["object"] if isinstance(schema.get("properties"), Mapping) else [])


def _object(schema: Mapping[str, Any]) -> Iterator[Impossible]:
    required, most = schema.get("required"), _count(schema, "maxProperties", math.inf)
    needed = len({r for r in required if isinstance(r, str)}) if isinstance(required, list) else 0
    if needed > most:
        yield Impossible("maxProperties", f"{needed} properties are required, {most} allowed")
    declared = schema.get("properties")
    count = len(declared) if isinstance(declared, Mapping) else 0
    closed = schema.get("additionalProperties") is False and not schema.get("patternProperties")
    least = _count(schema, "minProperties")
    if closed and least > count and most >= least:
        yield Impossible("minProperties", f"minProperties {least}, and only {count} can be there")


def _array(schema: Mapping[str, Any]) -> Iterator[Impossible]:
    first, rest, least = schema.get("prefixItems"), schema.get("items"), _count(schema, "minItems")
    count = len(first) if isinstance(first, list) else 0
    most = _count(schema, "maxItems", math.inf)
    if least <= most < count:
        # JSON Schema allows shorter arrays; xgrammar wants room for all that are listed.
        yield Impossible("maxItems", f"maxItems {most} leaves no room for {count} prefixItems")
    if rest is False and least > count and most >= least:
        yield Impossible("minItems", f"minItems {least}, and only {count} can be there")


def _number(schema: Mapping[str, Any], *, whole: bool) -> Iterator[Impossible]:
    low, low_open = _edge(schema, "minimum", "exclusiveMinimum", max)
    high, high_open = _edge(schema, "maximum", "exclusiveMaximum", min)
    if low is None or high is None:
        return
    keyword = "exclusiveMinimum" if "minimum" not in schema else "minimum"
    if whole:
        least = math.floor(low) + 1 if low_open else math.ceil(low)
        most = math.ceil(high) - 1 if high_open else math.floor(high)
        if least > most:
            yield Impossible(keyword, f"no integer lies {_between(low, high, low_open, high_open)}")
        else:
            yield from _multiple(schema, least, most)
    elif low > high or (low == high and (low_open or high_open)):
        yield Impossible(keyword, f"no number lies {_between(low, high, low_open, high_open)}")


def _multiple(schema: Mapping[str, Any], least: int, most: int) -> Iterator[Impossible]:
    step = _count(schema, "multipleOf")
    if step > 0 and -(-least // step) * step > most:
        yield Impossible("multipleOf", f"no multiple of {step} lies from {least} to {most}")


def _between(low: float, high: float, low_open: bool, high_open: bool) -> str:
    return f"{'above' if low_open else 'from'} {low} {'and below' if high_open else 'up to'} {high}"


def _edge(
    schema: Mapping[str, Any], closed: str, opened: str, tighter: Any
) -> tuple[float | None, bool]:
    """The tighter of two bounds, and whether it is exclusive."""
    one, other = finite(schema.get(closed)), finite(schema.get(opened))
    if other is None or (one is not None and tighter(one, other) == one and one != other):
        return one, schema.get(opened) is True  # draft 4: a flag beside the bound
    return other, True


def _count(schema: Mapping[str, Any], key: str, otherwise: float = 0) -> Any:
    value = schema.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise
