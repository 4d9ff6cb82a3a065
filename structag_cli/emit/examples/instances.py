"""JSON values that satisfy a schema and that xgrammar 0.2.9 accepts for it.

Where xgrammar reads a schema in its own way, the instance follows it, and the schema
as far as both allow: objects are closed unless opened, properties come in declared
order, ``anyOf`` hides what stands beside it, patterns match in full.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from structag_cli.emit.examples import scalars
from structag_cli.emit.examples.merging import merged
from structag_cli.emit.examples.reading import (
    FREE,
    INDIRECT,
    INDIRECTIONS,
    KEYWORD_TYPES,
    SHAPES,
    count,
    item_schema,
    kinds_of,
    mapping,
    of_distinct_types,
    other_properties,
    resolve,
    text_of,
    types_of,
)
from structag_cli.emit.examples.trouble import NoExample, TooDeep

_DEPTHS = (0, 1, 2, 3, 4, 6, 8, 12)
_MOST_STEPS = 20_000
_FULL_LEVELS = 3
_MOST_ITEMS = 100

_CHECKS = {
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "pattern", "format"),
}
_UNCHECKED = ("not", "if", "contains", "dependentRequired", "dependentSchemas", "dependencies")


@dataclass(slots=True)
class Instances:
    """Instances of one schema, most telling first.

    ``compact``: a constant object or array is in them, which xgrammar accepts only
    without white space.
    """

    values: list[Any] = field(default_factory=list)
    compact: bool = False
    notes: list[str] = field(default_factory=list)


def instances(schema: Any, *, all_closed: bool = False) -> Instances:
    """A full and a minimal instance, one where they are the same.

    Args:
        schema: the JSON Schema.
        all_closed: take even bare objects and arrays for closed.

    Raises:
        NoExample: none can be made for certain.
    """
    if schema is True or schema == {}:
        return Instances([{"key": "value"}, {}])
    found = Instances()
    trouble: NoExample | None = None
    for full in (True, False):
        maker = _Maker(schema, all_closed)
        try:
            value = maker.any_depth(full)
        except NoExample as err:
            trouble = err
            continue
        if value not in found.values:
            found.values.append(value)
            found.compact |= maker.compact
            found.notes += [note for note in maker.notes if note not in found.notes]
    if not found.values:
        raise trouble or NoExample("the schema allows nothing")
    return found


class _Maker:
    """Makes one instance; knows the root for ``$ref`` and how much work was done."""

    def __init__(self, root: Any, all_closed: bool) -> None:
        self.root = root
        self.compact = False
        self.notes: list[str] = []
        self.steps = 0
        # Once xgrammar has met a bare object or array through a reference, it takes
        # every other one in the same schema for closed, too.
        self.all_closed = all_closed or bool(INDIRECTIONS.search(text_of(root)))

    def any_depth(self, full: bool) -> Any:
        """The instance with the fewest nested references that the schema allows."""
        for depth in _DEPTHS:
            if full and depth < 2:
                continue
            self.notes.clear()
            self.compact = False
            try:
                return self.make(self.root, _FULL_LEVELS if full else 0, depth)
            except TooDeep:
                continue
        raise NoExample("a schema that refers to itself without end")

    def make(self, schema: Any, full: int, depth: int, nth: int = 0) -> Any:
        """An instance: optional parts down to ``full`` levels, ``depth`` references deep."""
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise NoExample("a schema that is too large")
        if schema is True or schema == {}:
            return "text" if nth == 0 else f"text {nth + 1}"
        if not isinstance(schema, Mapping):
            raise NoExample("the schema false" if schema is False else "something not a schema")
        for keyword in _UNCHECKED:
            if keyword in schema:
                self.note(f"xgrammar ignores `{keyword}`, and so do the examples")
        if "$ref" in schema:
            return self._reference(schema, full, depth, nth)
        if "const" in schema:
            kinds = types_of(schema)
            if kinds and not kinds_of(schema["const"]) & set(kinds):
                raise NoExample("a constant of another type than the schema's")
            return self._constant(schema["const"], nth)
        if "enum" in schema:
            return self._enum(schema, nth)
        for keyword in ("anyOf", "oneOf", "allOf"):
            if keyword in schema:
                return self._combined(schema, keyword, full, depth, nth)
        return self._typed(schema, full, depth, nth)

    def note(self, text: str) -> None:
        """Keep a note, once."""
        if text not in self.notes:
            self.notes.append(text)

    def _reference(self, schema: Mapping[str, Any], full: int, depth: int, nth: int) -> Any:
        if depth == 0:
            raise TooDeep("a reference too many")
        target = resolve(self.root, schema["$ref"])
        if isinstance(target, Mapping):
            # xgrammar ignores what stands beside $ref: it may narrow the example, no more.
            beside = {k: v for k, v in schema.items() if k in _CHECKS and k not in target}
            target = {**target, **beside, INDIRECT: True}
        return self.make(target, full, depth - 1, nth)

    def _constant(self, value: Any, nth: int) -> Any:
        if nth:
            raise NoExample("several different values of a constant")
        self.compact |= isinstance(value, (dict, list)) and bool(value)
        return value

    def _enum(self, schema: Mapping[str, Any], nth: int) -> Any:
        values = schema["enum"]
        if not isinstance(values, list) or not values:
            raise NoExample("an empty enum")
        kinds = types_of(schema)
        typed = [value for value in values if not kinds or kinds_of(value) & set(kinds)]
        if not typed:
            raise NoExample("an enum without a value of its type")
        if nth >= len(typed):
            raise NoExample("more different values than the enum has")
        return self._constant(typed[nth], 0)

    def _combined(
        self, schema: Mapping[str, Any], keyword: str, full: int, depth: int, nth: int
    ) -> Any:
        """xgrammar takes the branches alone, and two of ``allOf`` for anything at all."""
        branches = schema[keyword]
        if not isinstance(branches, list) or not branches:
            raise NoExample(f"an empty {keyword}")
        base = {key: value for key, value in schema.items() if key != keyword}
        if keyword == "allOf" and len(branches) > 1:
            return self.make(merged(self.root, [base, *branches]), full, depth, nth)
        if keyword == "oneOf" and not of_distinct_types(branches):
            self.note("xgrammar reads `oneOf` as `anyOf`, and so do the examples")
        trouble: NoExample | None = None
        for branch in branches:
            try:
                value = self.make(self._branch(base, branch, keyword), full, depth, nth)
                kinds = types_of(base)
                if not kinds or kinds_of(value) & set(kinds):
                    return value
                trouble = trouble or NoExample(f"a branch of `{keyword}` of the schema's type")
            except NoExample as err:
                trouble = trouble if isinstance(trouble, TooDeep) else err
        raise trouble or NoExample(f"an empty {keyword}")

    def _branch(self, base: Mapping[str, Any], branch: Any, keyword: str) -> Any:
        if not isinstance(branch, Mapping):
            return branch
        if not SHAPES & set(branch):
            # Such a branch is any value to xgrammar, so the whole schema can be kept.
            return merged(self.root, [base, branch])
        if {"properties", "items"} & set(base):
            self.note(f"beside `{keyword}` xgrammar ignores the properties, as do the examples")
        return {**branch, INDIRECT: True} if keyword == "allOf" else branch

    def _typed(self, schema: Mapping[str, Any], full: int, depth: int, nth: int) -> Any:
        kinds = types_of(schema)
        free = (not kinds and not SHAPES & set(schema)) or bool(schema.get(FREE))
        if not kinds:
            kinds = [kind for kind, words in KEYWORD_TYPES if any(w in schema for w in words)][:1]
        if not kinds:
            return self.make(True, full, depth, nth)
        trouble: Exception | None = None
        for kind in sorted(kinds, key=lambda kind: kind == "null"):
            try:
                return self._of_type(kind, schema, full, depth, nth, free)
            except NoExample as err:
                trouble = err
        raise trouble or NoExample("a schema without a type")

    def _of_type(
        self, kind: str, schema: Mapping[str, Any], full: int, depth: int, nth: int, free: bool
    ) -> Any:
        if kind == "object":
            return self._object(schema, full, depth, nth, free)
        if kind == "array":
            return self._array(schema, full, depth, nth, free)
        if kind == "string":
            return scalars.string(schema, nth)
        if kind in ("integer", "number"):
            return scalars.number(schema, kind == "integer", nth)
        if kind == "boolean" and nth < 2:
            return nth == 0
        if kind == "null" and nth == 0:
            return None
        raise NoExample(f"the type {kind!r}" if nth == 0 else f"several different {kind} values")

    def _object(
        self, schema: Mapping[str, Any], full: int, depth: int, nth: int, free: bool
    ) -> Any:
        properties = mapping(schema, "properties")
        if any(value is False for value in properties.values()):
            raise NoExample("a property with the schema false, which xgrammar refuses")
        required = [name for name in schema.get("required") or [] if isinstance(name, str)]
        low = count(schema, "minProperties", 0)
        high = count(schema, "maxProperties", 1_000_000)
        value: dict[str, Any] = {}
        for name, sub in properties.items():
            wanted = name in required or full or len(value) < low
            if wanted and (name in required or len(value) < high):
                self._add(value, name, sub, name in required, full, depth, nth)
        others = other_properties(schema, free, self.all_closed)
        if properties and "propertyNames" in schema:
            self.note("xgrammar holds declared properties to no `propertyNames`")
        undeclared = [name for name in required if name not in properties]
        if undeclared:
            self._add_undeclared(value, undeclared, schema, others, depth)
        self._fill(value, schema, others, low, bool(full and not value and high > 0), depth, nth)
        if len(value) > high:
            raise NoExample("more required properties than maxProperties")
        if nth and not value:
            raise NoExample("several different empty objects")
        return value

    def _add_undeclared(
        self,
        value: dict[str, Any],
        names: list[str],
        schema: Mapping[str, Any],
        others: Any,
        depth: int,
    ) -> None:
        """Required properties without a schema: xgrammar wants a declared one before them."""
        rules = ("propertyNames", "patternProperties", "minProperties", "maxProperties")
        if any(rule in schema for rule in rules):
            raise NoExample(f"a required property {names[0]!r} that is not declared")
        properties = mapping(schema, "properties")
        if properties and not value:
            name = next(iter(properties))
            value[name] = self.make(properties[name], 0, depth)
        for name in names:
            if others is False:
                self.note(f"`required` names {name!r}, which xgrammar does not let a call have")
            else:
                value[name] = self.make(others, 0, depth)

    def _add(
        self,
        value: dict[str, Any],
        name: str,
        sub: Any,
        required: bool,
        full: int,
        depth: int,
        nth: int,
    ) -> None:
        try:
            value[name] = self.make(sub, max(full - 1, 0), depth, nth)
        except NoExample:
            if required:
                raise
            if nth:
                value[name] = self.make(sub, max(full - 1, 0), depth)

    def _fill(
        self,
        value: dict[str, Any],
        schema: Mapping[str, Any],
        others: Any,
        low: int,
        one: bool,
        depth: int,
        nth: int,
    ) -> None:
        """Add properties of free names where the schema asks for more than it declares."""
        if others is False:
            if len(value) < low:
                raise NoExample("fewer properties than minProperties asks for")
            return
        if schema.get("propertyNames") or schema.get("patternProperties"):
            if len(value) < low:
                raise NoExample("property names with rules of their own")
            return
        while len(value) < low or (one and not value):
            name = "key" if not value else f"key_{len(value) + 1}"
            if name in value:
                raise NoExample("property names that clash")
            value[name] = self.make(others, 0, depth, nth)

    def _array(
        self, schema: Mapping[str, Any], full: int, depth: int, nth: int, free: bool
    ) -> list[Any]:
        prefix = schema.get("prefixItems") or []
        items = item_schema(schema, free, self.all_closed)
        low = count(schema, "minItems", 0)
        high = count(schema, "maxItems", _MOST_ITEMS)
        if low > min(high, _MOST_ITEMS):
            raise NoExample(f"an array of at least {low} items")
        wanted = max(low, (len(prefix) or 1) if full else 0)
        if nth and not wanted:
            wanted = 1
        value: list[Any] = []
        while len(value) < min(wanted, high):
            sub = prefix[len(value)] if len(value) < len(prefix) else items
            if sub is False:
                if len(value) < low:
                    raise NoExample("more items than xgrammar allows")
                break
            try:
                self._append(value, sub, bool(schema.get("uniqueItems")), full, depth, nth)
            except NoExample:
                if len(value) < low:
                    raise
                break
        return value

    def _append(
        self, value: list[Any], sub: Any, unique: bool, full: int, depth: int, nth: int
    ) -> None:
        for attempt in range(len(value) + 1 if unique else 1):
            variant = nth + (len(value) if unique and attempt == 0 else attempt)
            item = self.make(sub, max(full - 1, 0), depth, variant)
            if not unique or text_of(item) not in map(text_of, value):
                value.append(item)
                return
        raise NoExample("different items")
