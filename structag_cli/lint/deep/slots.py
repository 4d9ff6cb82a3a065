"""Where in an instance a schema node is at work: the way from a value to a whole instance."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from structag_cli.json_values import as_list
from structag_cli.lint.deep.make import Maker
from structag_cli.lint.deep.view import branch_count, choices, flat, resolve, target
from structag_cli.place import escape_pointer

Wrap = Callable[[Any], Any]

_MOST_DEPTH = 14


@dataclass(frozen=True, slots=True)
class Slot:
    """A schema node and the instances that it can stand in.

    ``wrap`` puts a value where the node is, with as little round it as the schema asks.
    ``choose`` is the branch of ``anyOf`` and ``oneOf`` taken here. ``named`` is false where
    only a pattern tells of the property's name: such a text is read by what it looks like.
    """

    schema: Any
    pointer: str
    wrap: Wrap
    depth: int = 0
    choose: int = 0
    named: bool = True


def slots(root: Any, maker: Maker, most: int = 400) -> Iterator[Slot]:
    """The nodes of a schema, the outer ones first; each target of a ``$ref`` twice at most."""
    pending: deque[Slot] = deque([Slot(root, "", lambda value: value)])
    seen: dict[tuple[str, int], int] = {}
    count = 0
    while pending and count < most:
        slot = pending.popleft()
        schema, pointer = resolve(slot.schema, slot.pointer, root)
        key = (pointer, slot.choose)
        seen[key] = seen.get(key, 0) + 1
        if not isinstance(schema, Mapping) or seen[key] > 2 or slot.depth > _MOST_DEPTH:
            continue
        count += 1
        slot = replace(slot, schema=schema, pointer=pointer)
        yield slot
        if seen[key] == 1:
            pending.extend(_below(slot, root, maker))


def _below(slot: Slot, root: Any, maker: Maker) -> Iterator[Slot]:
    branches = branch_count(slot.schema, root)
    if slot.choose == 0:
        for choose in range(1, branches):
            yield Slot(slot.schema, slot.pointer, slot.wrap, slot.depth + 1, choose)
    view = flat(slot.schema, root, slot.choose)
    owners = _owners(slot.schema, slot.pointer, root, slot.choose)
    yield from _properties(slot, view, maker, owners)
    yield from _items(slot, view, maker, owners)


def _owners(schema: Any, pointer: str, root: Any, choose: int) -> dict[str, str]:
    """Which pointer each key of the flat view comes from."""
    found: dict[str, str] = {}
    _collect(schema, pointer, root, choose, found, 0)
    return found


def _collect(
    schema: Any, pointer: str, root: Any, choose: int, found: dict[str, str], depth: int
) -> None:
    schema, pointer = resolve(schema, pointer, root)
    if not isinstance(schema, Mapping) or depth > 6:
        return
    for key in (
        *("items", "prefixItems", "additionalProperties", "contains"),
        *("unevaluatedProperties", "unevaluatedItems"),
    ):
        if key in schema:
            found[key] = f"{pointer}/{key}"
    for key in ("properties", "patternProperties"):
        for name in schema.get(key) or () if isinstance(schema.get(key), Mapping) else ():
            found[f"{key}/{name}"] = f"{pointer}/{key}/{escape_pointer(str(name))}"
    members = schema.get("allOf")
    for index, member in enumerate(members if isinstance(members, list) else ()):
        _collect(member, f"{pointer}/allOf/{index}", root, choose, found, depth + 1)
    for branches in choices(schema):
        for part, below in branches[choose % len(branches)]:
            there = pointer + below
            _collect(part, there, root, choose // len(branches), found, depth + 1)


def _properties(
    slot: Slot, view: Mapping[str, Any], maker: Maker, owners: dict[str, str]
) -> Iterator[Slot]:
    declared = view.get("properties")
    if isinstance(declared, Mapping):
        for name, schema in declared.items():
            pointer = owners.get(f"properties/{name}", slot.pointer)
            yield Slot(schema, pointer, _member(slot, view, maker, name), slot.depth + 1)
    for key in ("patternProperties", "additionalProperties", "unevaluatedProperties"):
        found = view.get(key)
        if not isinstance(found, Mapping):
            continue
        members = found.items() if key == "patternProperties" else [("", found)]
        for pattern, schema in members:
            name = _key_for(view, maker, pattern)
            pointer = owners.get(f"{key}/{pattern}" if pattern else key, slot.pointer)
            if name is not None:
                wrap = _member(slot, view, maker, name)
                yield Slot(schema, pointer, wrap, slot.depth + 1, named=not pattern)


def _key_for(view: Mapping[str, Any], maker: Maker, pattern: str) -> str | None:
    from structag_cli.lint.deep.strings import valid_strings

    if not pattern:
        return maker.new_key(view)
    keys = valid_strings({"pattern": pattern})
    return keys[0] if keys else None


def _member(slot: Slot, view: Mapping[str, Any], maker: Maker, name: str) -> Wrap:
    around = maker.around(lambda: in_order(_room_for(name, maker.object(view), view), view))

    def wrap(value: Any) -> Any:
        return slot.wrap({**around(), name: value})

    return wrap


def _room_for(name: str, value: dict[str, Any], view: Mapping[str, Any]) -> dict[str, Any]:
    """An object with this property, without optional ones that are too many beside it."""
    high = view.get("maxProperties")
    whole = {**value, name: None}
    if isinstance(high, (int, float)) and len(whole) > high:
        kept = [name, *as_list(view.get("required"))]
        spare = [key for key in value if key not in kept]
        for key in spare[: len(whole) - int(high)]:
            del whole[key]
    return whole


def in_order(value: dict[str, Any], view: Mapping[str, Any]) -> dict[str, Any]:
    """An object with its properties in declared order, undeclared ones last."""
    declared = view.get("properties")
    names = list(declared) if isinstance(declared, Mapping) else []
    required = [n for n in view.get("required") or () if isinstance(n, str) and n not in names]
    order = {name: index for index, name in enumerate([*names, *required])}
    return dict(sorted(value.items(), key=lambda item: order.get(item[0], len(order))))


def _items(
    slot: Slot, view: Mapping[str, Any], maker: Maker, owners: dict[str, str]
) -> Iterator[Slot]:
    prefix, items = view.get("prefixItems"), view.get("items", None)
    where = owners.get("prefixItems", slot.pointer)
    if isinstance(items, list):
        prefix, where = items, owners.get("items", slot.pointer)
        items = view.get("additionalItems")
    prefix = prefix if isinstance(prefix, list) else []
    for index, schema in enumerate(prefix[:20]):
        wrap = _item(slot, view, maker, index)
        yield Slot(schema, f"{where}/{index}", wrap, slot.depth + 1)
    for key, schema in (("items", items), ("unevaluatedItems", view.get("unevaluatedItems"))):
        if isinstance(schema, Mapping):
            # the last item is the one that `contains` asks for
            wrap = _item(slot, view, maker, len(prefix), more="contains" in view)
            yield Slot(schema, owners.get(key, slot.pointer), wrap, slot.depth + 1)
    if isinstance(view.get("contains"), Mapping):
        wrap = _item(slot, view, maker, 0)
        yield Slot(view["contains"], owners.get("contains", slot.pointer), wrap, slot.depth + 1)


def _item(slot: Slot, view: Mapping[str, Any], maker: Maker, index: int, more: int = 0) -> Wrap:
    """``more``: how many items stay as they are after the one at ``index``."""

    def make() -> list[Any]:
        shortest = maker.array(view)
        if len(shortest) > index + more:
            return shortest
        return maker.array({**view, "minItems": index + 1 + more})

    around = maker.around(make)

    def wrap(value: Any) -> Any:
        items = around()
        items = items + [value] * (index + 1 - len(items))
        return slot.wrap([*items[:index], value, *items[index + 1 :]])

    return wrap


def ref_target(schema: Any, root: Any) -> bool:
    """Whether a node's reference leads somewhere."""
    return not isinstance(schema, Mapping) or target(schema.get("$ref"), root) is not None
