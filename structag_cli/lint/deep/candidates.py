"""Values to try at a node: valid ones that stress it, and ones that violate one keyword."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, TypeVar

from structag_cli.json_values import as_list
from structag_cli.lint.deep.make import Maker, contained, numbers
from structag_cli.lint.deep.strings import (
    around_lookaheads,
    string_candidates,
    valid_strings,
    with_odd_letters,
)
from structag_cli.lint.deep.view import flat, merge, types_of

_T = TypeVar("_T")

_FEW = 3

_AS_TEXT = {
    "integer": ("7", "-1"),
    "number": ("1.5", "7"),
    "boolean": ("true",),
    "null": ("null",),
    "array": ("[]", '["i"]'),
    "object": ("{}", '{"k": 1}'),
}

_LATE = "property order"

Candidate = tuple[Any, str]
"""A value and what it stresses."""

_OF_EACH_TYPE: tuple[Any, ...] = ("text", 7, 1.5, True, None, {}, [], {"k": 1}, ["i"], -3, "")


def candidates(schema: Mapping[str, Any], maker: Maker, choose: int = 0) -> Iterator[Candidate]:
    """All candidates of a node, the telling ones first."""
    root = maker.root
    view = flat(schema, root, choose)
    for value in _first(maker.of_view(view), 4):
        yield value, "value"
    kinds = types_of(view)
    yield from interleaved(
        _of_kinds(view, kinds, maker),
        _other_types(kinds),
        _conditions(schema, view, maker),
        _untyped(view, kinds, maker) if "type" not in view else iter(()),
    )


def interleaved(*streams: Iterator[_T]) -> Iterator[_T]:
    """One of each in turn, so that no kind has to wait for all of another."""
    live = list(streams)
    while live:
        for stream in list(live):
            try:
                yield next(stream)
            except StopIteration:
                live.remove(stream)


def _of_kinds(view: Mapping[str, Any], kinds: list[str], maker: Maker) -> Iterator[Candidate]:
    """What the node's own keywords suggest."""
    tried = set(kinds if "type" in view else kinds[:1])
    streams: list[Iterator[Candidate]] = []
    if "const" in view or isinstance(view.get("enum"), list):
        streams.append(_constants(view))
    if "object" in tried:
        streams += _objects(view, maker)
    if "array" in tried:
        streams.append(_arrays(view, maker))
    if "string" in tried:
        streams.append(iter(string_candidates(view)))
    if {"integer", "number"} & tried:
        streams.append(_numbers(view, "number" not in kinds))
    yield from interleaved(*streams)


def _other_types(kinds: list[str]) -> Iterator[Candidate]:
    for value in _OF_EACH_TYPE:
        yield value, "extra property" if value == {"k": 1} and "object" in kinds else "type"
    # What a style writes without quotes may be read as a string.
    for kind in kinds:
        for text in _AS_TEXT.get(kind, ()):
            yield text, "type"


def _first(values: Iterator[_T], most: int) -> Iterator[_T]:
    for _, value in zip(range(most), values, strict=False):
        yield value


def _untyped(view: Mapping[str, Any], kinds: list[str], maker: Maker) -> Iterator[Candidate]:
    """Where no type is declared, the keywords of every type may be at work."""
    if kinds[0] != "string" and {"minLength", "maxLength", "pattern", "format"} & set(view):
        yield from string_candidates(view)
    if kinds[0] != "number" and {"minimum", "maximum", "multipleOf"} & set(view):
        yield from _numbers(view, False)
    if kinds[0] != "array" and {"items", "minItems", "maxItems", "contains"} & set(view):
        yield from _arrays(view, maker)
    for value in (2.5, "some words", [1, 2], {"a": {"b": None}}, False):
        yield value, "untyped"
    yield {"a b": 1, 'q"': [{"c d": 2}]}, "untyped"


def _constants(view: Mapping[str, Any]) -> Iterator[Candidate]:
    listed = view["enum"] if isinstance(view.get("enum"), list) else [view.get("const")]
    word = "enum" if "enum" in view else "const"
    yield from ((value, word) for value in listed[:12])
    for value in _few_of_each_type(listed):
        if isinstance(value, str):
            yield value + "x", word
            yield value[:-1], word
            yield value.swapcase(), word
            yield f" {value}", word
            yield f"{value} ", word
            yield f"{value}\n", word
        elif isinstance(value, bool):
            yield not value, word
            yield int(value), word
            yield str(value), word
        elif isinstance(value, (int, float)):
            yield value + 1, word
            yield str(value), word
            yield float(value), "number form"
        elif isinstance(value, dict):
            yield {**value, "extra": 1}, word
            yield dict(reversed(value.items())), "order of a constant"
        elif isinstance(value, list):
            yield [*value, 1], word
    for value in listed[:12]:
        if isinstance(value, (list, dict)):
            yield _as_floats(value), "number form"
    yield "no such value", word


def _few_of_each_type(values: list[Any]) -> list[Any]:
    seen: Counter[type] = Counter()
    few = []
    for value in values:
        seen[type(value)] += 1
        if seen[type(value)] <= _FEW:
            few.append(value)
    return few


def _as_floats(value: Any) -> Any:
    """The same value with whole numbers written as floats."""
    if isinstance(value, list):
        return [_as_floats(item) for item in value]
    if isinstance(value, dict):
        return {key: _as_floats(item) for key, item in value.items()}
    plain = isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53
    return float(value) if plain else value


def _numbers(view: Mapping[str, Any], whole: bool) -> Iterator[Candidate]:
    for value in numbers(view, whole)[:4]:
        yield value, "number"
    for key in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
        bound = view.get(key)
        if isinstance(bound, (int, float)) and not isinstance(bound, bool):
            for step in (0, 1, -1, 0.5, -0.5, 0.001, -0.001, 100, -100):
                yield _number(bound + step), key
    unit = view.get("multipleOf")
    if isinstance(unit, (int, float)) and not isinstance(unit, bool) and unit:
        for factor in (1, 2, 3, -1, 10, 0.5, 1.5, 0.1, 1.1, 7.3):
            yield _number(unit * factor), "multipleOf"
    for value in (
        0,
        1,
        -1,
        1.5,
        -0.5,
        0.25,
        10,
        1000,
        123456789,
        -987654321,
        10**15,
        10**22,
        3.14159,
    ):
        yield value, "number"
    for value in (1.0, 2.0, -1.0, 1e20, 1e-7, -0.0, 1.5e300):
        yield value, "number form"


def _number(value: float) -> Any:
    rounded = round(value, 9)
    return int(rounded) if float(rounded).is_integer() and abs(rounded) < 2**53 else rounded


def _objects(view: Mapping[str, Any], maker: Maker) -> list[Iterator[Candidate]]:
    small, full = maker.object(view), maker.object(view, full=True)
    first: list[Candidate] = [(small, "object"), (full, "all properties"), ({}, "required")]
    return [
        iter(first),
        _without(small, full),
        _orders(small, full),
        _as_undeclared(view, small, full, maker),
        _extras(view, small, full, maker),
        _property_counts(view, small, full, maker),
        _dependents(view, small, full, maker),
        *_by_name(view, small, full, maker),
    ]


def _without(small: dict[str, Any], full: dict[str, Any]) -> Iterator[Candidate]:
    """One property less, one more, and ``null`` for one."""
    for name in small:
        yield {k: v for k, v in small.items() if k != name}, "required"
    for name in full:
        if name not in small:
            yield {**{k: v for k, v in full.items() if k in small or k == name}}, "one property"
    for name in list(full)[:40]:
        yield {k: v for k, v in full.items() if k != name}, "required"
    for name in list(full)[:20]:
        yield {**full, name: None}, "null property"


def _orders(small: dict[str, Any], full: dict[str, Any]) -> Iterator[Candidate]:
    for value in (full, small):
        if len(value) > 1:
            names = list(value)
            yield {k: value[k] for k in reversed(names)}, "property order"
            yield {k: value[k] for k in [*names[1:], names[0]]}, "property order"
    # Few properties: with all of them an instance is often invalid, or cannot be judged.
    optional = [name for name in full if name not in small]
    for name in optional[:6]:
        if small:
            yield {name: full[name], **small}, "property order"
    for one, next_one in pairwise(optional[:7]):
        yield {**small, next_one: full[next_one], one: full[one]}, "property order"


def _as_undeclared(
    view: Mapping[str, Any], small: dict[str, Any], full: dict[str, Any], maker: Maker
) -> Iterator[Candidate]:
    """A declared property after its turn, with a value of another kind.

    There xgrammar 0.2.9 takes its name for an undeclared one, and any such value with it.
    """
    if view.get("additionalProperties") is False and "patternProperties" not in view:
        return
    other = maker.several(maker.undeclared(view, "zz_extra"), 1)[:4]
    for name in [name for name in full if name not in small][:4]:
        for value in (*other, *_OF_EACH_TYPE[:5]):
            for base in (small, full):
                yield {**{k: v for k, v in base.items() if k != name}, name: value}, _LATE


def _extras(
    view: Mapping[str, Any], small: dict[str, Any], full: dict[str, Any], maker: Maker
) -> Iterator[Candidate]:
    """Undeclared properties: names and values of many kinds."""
    for extra in ("text", 1, {"a": 1}, None):
        yield {**small, "zz_extra": extra}, "extra property"
    yield {**full, "zz_extra": True}, "extra property"
    opened = view.get("additionalProperties") not in (None, False)
    for value in (small, full):
        mixed = {"zz_extra": maker.minimal(maker.undeclared(view, "zz_extra"), 1), **value}
        yield mixed, "property order" if opened else "extra property"
    for key in ("X", "a b", "0", "", "é", "UPPER", "with-dash", "s_x", "$ref", 'q"uote'):
        yield {**small, key: maker.minimal(maker.undeclared(view, key), 1)}, "property name"


def _by_name(
    view: Mapping[str, Any], small: dict[str, Any], full: dict[str, Any], maker: Maker
) -> list[Iterator[Candidate]]:
    return [
        _additional(view, small, maker),
        _by_pattern(view, small, full, maker),
        _names(view, small, maker),
    ]


def _additional(
    view: Mapping[str, Any], small: dict[str, Any], maker: Maker
) -> Iterator[Candidate]:
    other = view.get("additionalProperties", view.get("unevaluatedProperties"))
    if isinstance(other, Mapping):
        for value in (*maker.several(other, 1)[:3], *_OF_EACH_TYPE):
            yield {**small, "zz_extra": value}, "additionalProperties"


def _by_pattern(
    view: Mapping[str, Any], small: dict[str, Any], full: dict[str, Any], maker: Maker
) -> Iterator[Candidate]:
    patterns = view.get("patternProperties")
    for pattern, schema in (patterns if isinstance(patterns, Mapping) else {}).items():
        keys = valid_strings({"pattern": pattern})[:4]
        for key in with_odd_letters(keys[:2]):
            yield {**small, key: maker.minimal(schema, 1)}, "patternProperties"
        for key in keys[:2]:
            yield {key: maker.minimal(schema, 1), **full}, _LATE
        for key in (*keys, "nomatch", "x", *around_lookaheads(pattern, keys)):
            for around in (key, f"{key}_more", f"x{key}"):
                for value in (maker.minimal(schema, 1), *_OF_EACH_TYPE[:6]):
                    yield {**small, around: value}, "patternProperties"


def _names(view: Mapping[str, Any], small: dict[str, Any], maker: Maker) -> Iterator[Candidate]:
    names = view.get("propertyNames")
    if isinstance(names, Mapping):
        listed = [name for name in as_list(names.get("enum")) if isinstance(name, str)]
        texts = [*listed[:12], *(t for t, _ in string_candidates({"type": "string", **names}))][:40]
        for key in texts:
            value = maker.minimal(maker.undeclared(view, key), 1)
            yield {**small, key: value}, "propertyNames"


def _property_counts(
    view: Mapping[str, Any], small: dict[str, Any], full: dict[str, Any], maker: Maker
) -> Iterator[Candidate]:
    for key in ("minProperties", "maxProperties"):
        bound = view.get(key)
        if not isinstance(bound, (int, float)) or isinstance(bound, bool) or bound > 200:
            continue
        for size in (int(bound) + step for step in (-1, 0, 1, 5)):
            value = dict(list(full.items())[: max(size, 0)])
            yield _with_more(value, size, view, maker), key
            yield _with_more({}, size, view, maker), key


def _with_more(
    value: dict[str, Any], size: int, view: Mapping[str, Any], maker: Maker
) -> dict[str, Any]:
    """An object with undeclared properties added up to a size."""
    number = 0
    while len(value) < size and number < 400:
        name = maker.new_key(view, number)
        value.setdefault(name, maker.minimal(maker.undeclared(view, name), 1))
        number += 1
    return value


def _dependents(
    view: Mapping[str, Any], small: dict[str, Any], full: dict[str, Any], maker: Maker
) -> Iterator[Candidate]:
    for key in ("dependentRequired", "dependentSchemas", "dependencies"):
        listed = view.get(key)
        if not isinstance(listed, Mapping):
            continue
        for name, wanted in listed.items():
            own = full.get(name, maker.minimal(maker.undeclared(view, name), 1))
            yield {**small, name: own}, key
            if isinstance(wanted, list):
                more = {k: full.get(k, "x") for k in wanted if isinstance(k, str)}
                yield {**small, name: own, **more}, key
                for left in more:
                    rest = {k: v for k, v in more.items() if k != left}
                    yield {**small, name: own, **rest}, key
                    whole = {**full, name: own, **rest}
                    yield {k: v for k, v in whole.items() if k != left}, key
            elif isinstance(wanted, Mapping):
                inner = maker.object(flat(wanted, maker.root), 1)
                yield {**small, name: own, **inner}, key
                for left in inner:
                    yield {k: v for k, v in {**full, name: own, **inner}.items() if k != left}, key


def _arrays(view: Mapping[str, Any], maker: Maker) -> Iterator[Candidate]:
    small, full = maker.array(view), maker.array(view, full=True)
    yield small, "array"
    yield full, "array"
    yield [], "minItems"
    prefix = view.get("prefixItems")
    items = view.get("items", view.get("unevaluatedItems", True))
    if isinstance(items, list):
        prefix, items = items, view.get("additionalItems", True)
    several = maker.several(items) or ["x"]
    one = several[0]
    for size in (1, 2, 3):
        yield [several[i % len(several)] for i in range(size)], "items"
    yield from _sizes(view, full, several)
    yield [*full, one, one], "uniqueItems"
    yield [one, one], "uniqueItems"
    if isinstance(one, int) and not isinstance(one, bool):
        yield [one, float(one)], "number form"
    for wrong in _OF_EACH_TYPE:
        stress = "extra property" if wrong == {"k": 1} else "items"
        yield [wrong], stress
        yield [*full, wrong], stress
        yield [one, wrong, one], stress
    if isinstance(prefix, list):
        yield from _prefixes(prefix, full, one, maker)
    if "contains" in view:
        yield from _contains(view, maker, one)


def _sizes(view: Mapping[str, Any], full: list[Any], several: list[Any]) -> Iterator[Candidate]:
    for key in ("minItems", "maxItems"):
        bound = view.get(key)
        if isinstance(bound, (int, float)) and not isinstance(bound, bool) and bound <= 2000:
            for size in (int(bound) - 1, int(bound), int(bound) + 1, int(bound) + 3):
                value = list(full[: max(size, 0)])
                index = 0
                while len(value) < size:
                    value.append(several[index % len(several)])
                    index += 1
                yield value, key


def _prefixes(prefix: list[Any], full: list[Any], one: Any, maker: Maker) -> Iterator[Candidate]:
    for size in range(len(prefix)):
        yield full[:size], "prefixItems"
    yield [*full, one], "prefixItems"
    yield [*full, "extra"], "prefixItems"
    yield list(reversed(full)), "prefixItems"
    for index in range(min(len(full), 8)):
        for wrong in _OF_EACH_TYPE:
            yield [*full[:index], wrong, *full[index + 1 :]], "prefixItems"


def _contains(view: Mapping[str, Any], maker: Maker, one: Any) -> Iterator[Candidate]:
    good = maker.minimal(contained(view["contains"], view.get("items")), 1)
    for count in range(6):
        yield [good] * count, "contains"
        yield [*[good] * count, one], "contains"
        yield [one, *[good] * count], "contains"
    for wrong in _OF_EACH_TYPE:
        yield [wrong], "contains"
        yield [wrong, good], "contains"


def _conditions(
    schema: Mapping[str, Any], view: Mapping[str, Any], maker: Maker
) -> Iterator[Candidate]:
    """Instances for ``not``, ``if``, and the overlaps of ``oneOf``, ``anyOf`` and ``allOf``."""
    bare = {k: v for k, v in view.items() if k not in ("not", "if", "then", "else")}
    seen = set()
    for part, key in _first(_parts(schema, view, maker.root), 40):
        for value in _of_part(part, bare, maker):
            mark = json.dumps(value, default=str)[:400]
            if mark not in seen:
                seen.add(mark)
                yield value, key


def _parts(schema: Mapping[str, Any], view: Mapping[str, Any], root: Any) -> Iterator[Candidate]:
    """Schemas of which instances are telling: each part, and pairs of parts at once."""
    for holder in (schema, view, *(flat(m, root) for m in as_list(schema.get("allOf")))):
        for key in ("not", "if", "then", "else"):
            if key in holder:
                yield holder[key], key
        if "if" in holder and "then" in holder:
            yield merge(flat(holder["if"], root), flat(holder["then"], root), root), "if"
    for key in ("oneOf", "anyOf", "allOf"):
        members = as_list(schema.get(key))[:8]
        yield from ((member, key) for member in members)
        for index, one in enumerate(members):
            for other in members[index + 1 :]:
                yield merge(flat(one, root), flat(other, root), root), key


def _of_part(part: Any, view: Mapping[str, Any], maker: Maker) -> Iterator[Any]:
    own = flat(part, maker.root)
    both = merge(view, own, maker.root)
    kind = types_of(own)[0]
    if kind in ("number", "integer") and set(own) - {"type"}:
        yield from (value for value, _ in _numbers(own, False))
    elif kind == "string" and {"pattern", "minLength", "maxLength", "format"} & set(own):
        yield from (text for text, _ in string_candidates(own)[:30])
    elif kind == "array" and set(own) - {"type"}:
        yield from (value for value, _ in _first(_arrays(own, maker), 30))
    for full in (False, True):
        yield from _first(maker.of_view(both, 1, full), 3)
        yield from _first(maker.of_view(own, 1, full), 2)
    if "properties" in own or "required" in own:
        small = maker.object(view, 1)
        yield {**small, **maker.object(own, 1, True)}
        for name in list(maker.object(own, 1, True))[:6]:
            whole = {**maker.object(view, 1, True), **maker.object(own, 1, True)}
            yield {k: v for k, v in whole.items() if k != name}
