"""Values that a schema allows, made from its keywords and checked by the judge."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, TypeVar

from structag_cli.json_values import as_list, as_mapping, finite
from structag_cli.lint.deep.judge import Judge, child_error
from structag_cli.lint.deep.strings import valid_strings
from structag_cli.lint.deep.view import branch_count, flat, resolve, types_of

_MOST_BRANCHES = 8
_DEPTH = 12
_MOST_PROPERTIES = 40
_REMEMBERED = 6
"""Down to here a value does not depend on how deep it stands."""

_T = TypeVar("_T")


class Maker:
    """Makes values for the nodes of one schema.

    Values that are known to be good are preferred, by the identity of the node: of the one
    that a reference leads to.
    """

    def __init__(self, root: Any, judge: Judge) -> None:
        self.root = root
        self.judge = judge
        self.version = 0
        self._preferred: dict[int, Any] = {}
        self._minimal: dict[int, tuple[int, Any]] = {}
        self._keep: list[Any] = []

    def prefer(self, schema: Any, value: Any) -> None:
        """Use this value for a node from now on."""
        self._preferred[id(schema)] = value
        self._keep.append(schema)
        self.version += 1

    def forget(self, schema: Any) -> None:
        """No more use the value that was preferred for a node."""
        if self._preferred.pop(id(schema), None) is not None:
            self.version += 1

    def around(self, make: Callable[[], _T]) -> Callable[[], _T]:
        """A maker of one value that makes it again only where other values are preferred."""
        memo: list[tuple[int, _T]] = []

        def made() -> _T:
            if not memo or memo[0][0] != self.version:
                memo[:] = [(self.version, make())]
            return memo[0][1]

        return made

    def minimal(self, schema: Any, depth: int = 0) -> Any:
        """A small valid value; one that may be invalid where none is found."""
        key = id(schema)
        node = id(resolve(schema, "", self.root)[0])
        if node in self._preferred:
            return self._preferred[node]
        version, known = self._minimal.get(key, (-1, None))
        if version == self.version:
            return known
        first: Any = None
        for number, value in enumerate(self.valid(schema, depth)):
            if number == 0:
                first = value
            if depth > _DEPTH or child_error(self.judge, schema, value) is not False:
                first = value
                break
            if number > 24:
                break
        if isinstance(schema, Mapping) and depth <= _REMEMBERED:
            if version < 0:
                self._keep.append(schema)
            self._minimal[key] = (self.version, first)
        return first

    def valid(self, schema: Any, depth: int = 0, full: bool = False) -> Iterator[Any]:
        """Values that ought to be valid, unchecked: constants, offers, then made ones."""
        if not isinstance(schema, Mapping):
            yield from ("x", 1, {}, [])
            return
        yield from _offered(schema)
        for choose in range(min(branch_count(schema, self.root), _MOST_BRANCHES)):
            yield from self.of_view(flat(schema, self.root, choose), depth, full)

    def of_view(self, view: Mapping[str, Any], depth: int = 0, full: bool = False) -> Iterator[Any]:
        """Values of a flat view, by its types."""
        if "const" in view:
            yield from _spellings(view["const"])
            return
        if isinstance(view.get("enum"), list):
            yield from chain.from_iterable(map(_spellings, view["enum"]))
            return
        yield from _offered(view)
        for kind in types_of(view):
            if kind == "object":
                yield self.object(view, depth, full)
            elif kind == "array":
                yield self.array(view, depth, full)
            elif kind == "string":
                yield from valid_strings(view)[:3]
            elif kind in ("integer", "number"):
                yield from numbers(view, whole=kind == "integer")[:3]
            elif kind == "boolean":
                yield from (True, False)
            else:
                yield None

    def object(self, view: Mapping[str, Any], depth: int = 0, full: bool = False) -> dict[str, Any]:
        """An object with the required properties, or with all, in declared order."""
        properties = as_mapping(view.get("properties"))
        required = [k for k in as_list(view.get("required")) if isinstance(k, str)]
        if depth > _DEPTH:
            return {}
        found: dict[str, Any] = {}
        for name, schema in properties.items():
            wanted = full and depth < 3 and schema is not False and len(found) < _MOST_PROPERTIES
            if name in required or wanted:
                found[name] = self.minimal(schema, depth + 1)
        for name in required:
            if name not in found:
                found[name] = self.minimal(self.undeclared(view, name), depth + 1)
        self._fill(view, found, properties, depth)
        return found

    def _fill(
        self,
        view: Mapping[str, Any],
        found: dict[str, Any],
        declared: Mapping[str, Any],
        depth: int,
    ) -> None:
        """More properties, up to ``minProperties``."""
        least = finite(view.get("minProperties")) or 0
        for name, schema in declared.items():
            if len(found) >= least:
                return
            if name not in found:
                found[name] = self.minimal(schema, depth + 1)
        for number in range(int(min(least, 50))):
            if len(found) >= least:
                return
            name = self.new_key(view, number)
            found[name] = self.minimal(self.undeclared(view, name), depth + 1)

    def new_key(self, view: Mapping[str, Any], number: int = 0) -> str:
        """A name that is not declared, as ``propertyNames`` and patterns want it."""
        names = view.get("propertyNames")
        if isinstance(names, Mapping):
            texts = [t for t in self.valid(names) if isinstance(t, str)]
            if texts:
                return texts[number % len(texts)]
        if view.get("additionalProperties") is False:
            for pattern in as_mapping(view.get("patternProperties")):
                keys = valid_strings({"pattern": pattern})
                if keys:
                    return keys[number % len(keys)]
        return "extra" if not number else f"extra{number}"

    def undeclared(self, view: Mapping[str, Any], name: str) -> Any:
        """The schema of a property that ``properties`` does not declare."""
        import re

        from structag_cli.ecma_patterns import SlowPattern, searcher

        for pattern, schema in as_mapping(view.get("patternProperties")).items():
            try:
                if searcher(pattern)(name):
                    return schema
            except (re.error, RecursionError, SlowPattern):
                continue
        return view.get("additionalProperties", view.get("unevaluatedProperties", True))

    def array(self, view: Mapping[str, Any], depth: int = 0, full: bool = False) -> list[Any]:
        """An array as short as it may be, or with an item of each kind."""
        prefix = as_list(view.get("prefixItems"))
        items = view.get("items", view.get("unevaluatedItems", True))
        if isinstance(items, list):
            prefix, items = items, view.get("additionalItems", True)
        if depth > _DEPTH:
            return []
        least = finite(view.get("minItems")) or 0
        wanted = max(
            least, len(prefix) if full and depth < 4 else 0, 1 if full and depth < 4 else 0
        )
        most = finite(view.get("maxItems"))
        wanted = int(min(wanted, 64 if most is None else max(most, 0)))
        if items is False:
            wanted = min(wanted, len(prefix))
        found = [
            self.minimal(prefix[i] if i < len(prefix) else items, depth + 1) for i in range(wanted)
        ]
        if "contains" in view:
            at = max(len(found) - 1, 0)
            whole = contained(view["contains"], prefix[at] if at < len(prefix) else items)
            least = finite(view.get("minContains", 1)) or 0
            found[at:] = [self.minimal(whole, depth + 1)] * int(min(max(least, 1), 64))
        if view.get("uniqueItems") is True:
            found = self._distinct(found, items, depth)
        return found

    def _distinct(self, found: list[Any], items: Any, depth: int) -> list[Any]:
        """Equal items replaced by others."""
        kept: list[Any] = []
        for item in found:
            if item not in kept:
                kept.append(item)
                continue
            others = [v for v in self.several(items, depth) if v not in kept]
            kept.append(others[0] if others else item)
        return kept

    def several(self, schema: Any, depth: int = 0) -> list[Any]:
        """Some different valid values."""
        if not isinstance(schema, Mapping):
            return ["x", "y", 1, 2, 3]
        found: list[Any] = []
        for value in self.valid(schema, depth, full=len(found) > 0):
            if value not in found and child_error(self.judge, schema, value) is not False:
                found.append(value)
            if len(found) >= 8:
                break
        view = flat(schema, self.root)
        if "integer" in types_of(view)[:2] or "number" in types_of(view)[:2]:
            found += [
                v for v in range(1, 20) if v not in found and child_error(self.judge, schema, v)
            ]
        if types_of(view)[0] == "string":
            texts = [
                chr(97 + i % 26) * max(1, min(int(finite(view.get("minLength")) or 1), 100_000))
                for i in range(9)
            ]
            found += [v for v in texts if v not in found and child_error(self.judge, schema, v)]
        return found


def contained(wanted: Any, item: Any) -> Any:
    """The schema of an item that ``contains`` wants, which is an item as well."""
    if not isinstance(wanted, Mapping) or not isinstance(item, Mapping):
        return wanted
    return {"allOf": [item, wanted]}


def numbers(view: Mapping[str, Any], whole: bool) -> list[Any]:
    """Numbers within the bounds, likely ones first."""
    try:
        return _numbers(view, whole)
    except ArithmeticError:  # bounds or steps beyond what floats hold
        return [0]


def _numbers(view: Mapping[str, Any], whole: bool) -> list[Any]:
    low = _bound(view, "minimum", "exclusiveMinimum", max)
    high = _bound(view, "maximum", "exclusiveMaximum", min)
    step = finite(view.get("multipleOf"))
    tried: list[Any] = [1, 0, 2, 10]
    for bound in (low, high):
        if bound is not None:
            tried += [bound, bound + 1, bound - 1]
            tried += [math.floor(bound), math.ceil(bound), bound + 0.5, bound - 0.5]
    if low is not None and high is not None:
        tried += [(low + high) / 2, low + (high - low) / 4]
    if step:
        tried = [step, 0, 2 * step, *(round(v / step) * step for v in tried), *tried]
    fitting = [v for v in tried if _fits(v, low, high, view, step, whole)]
    made = [int(v) if float(v).is_integer() and abs(v) < 2**53 else v for v in fitting]
    return list(dict.fromkeys(made)) or [0]


def _fits(value: Any, low: Any, high: Any, view: Mapping[str, Any], step: Any, whole: bool) -> bool:
    if low is not None and (value < low or (value == low and _is_open(view, "Minimum", low))):
        return False
    if high is not None and (value > high or (value == high and _is_open(view, "Maximum", high))):
        return False
    if whole and not float(value).is_integer():
        return False
    return not step or abs(value / step - round(value / step)) < 1e-9


def _is_open(view: Mapping[str, Any], which: str, bound: Any) -> bool:
    exclusive = view.get(f"exclusive{which}")
    return exclusive is True or (exclusive is not False and exclusive == bound)


def _bound(view: Mapping[str, Any], key: str, exclusive: str, tighter: Any) -> Any:
    given = [finite(view.get(key)), finite(view.get(exclusive))]
    found = [v for v in given if v is not None]
    return tighter(found) if found else None


def _spellings(constant: Any) -> Iterator[Any]:
    """A constant, and the same number without a fraction: a grammar may take only that one."""
    yield constant
    if isinstance(constant, float) and constant.is_integer():
        yield int(constant)


def _offered(schema: Mapping[str, Any]) -> list[Any]:
    """The schema's own examples and default."""
    examples = schema.get("examples")
    offered = examples[:3] if isinstance(examples, list) else []
    return [*offered, *([schema["default"]] if schema.get("default") is not None else [])]
