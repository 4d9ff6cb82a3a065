"""What a mend does to a value, by JSON pointers, and the value that comes of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from structag_cli.sources.json_places import unescape_pointer


class CannotMend(ValueError):
    """An edit that cannot be made without touching something else; the text says why."""


@dataclass(frozen=True, slots=True)
class Replace:
    """Another scalar in the place of a scalar."""

    pointer: str
    value: Any


@dataclass(frozen=True, slots=True)
class Rename:
    """Another key for the member at a pointer."""

    pointer: str
    key: str


@dataclass(frozen=True, slots=True)
class Remove:
    """No member or item at a pointer."""

    pointer: str


@dataclass(frozen=True, slots=True)
class Insert:
    """One more member, a scalar, in the object at a pointer."""

    pointer: str
    key: str
    value: Any


@dataclass(frozen=True, slots=True)
class Quote:
    """The scalar at a pointer as the text that is written there."""

    pointer: str


Edit = Replace | Rename | Remove | Insert | Quote
Made = Replace | Rename | Remove | Insert
"""Edits whose result is known without the text."""


def keys_of(pointer: str) -> list[str]:
    """The keys that lead to a value."""
    return [unescape_pointer(token) for token in pointer.split("/")[1:]]


def edited(value: Any, edits: Iterable[Made]) -> Any:
    """A value with edits made; the value itself is left alone.

    All pointers are those of the value as it was: deeper edits come first, and later
    items before earlier ones.

    Raises:
        CannotMend: there is no such place, or the key is taken.
    """
    for edit in sorted(edits, key=_order):
        keys = keys_of(edit.pointer)
        holder = keys if isinstance(edit, Insert) else keys[:-1]
        if not keys and not isinstance(edit, Insert):
            raise CannotMend("the whole document")
        value = _with(value, holder, edit, keys[-1] if keys else "")
    return value


def _order(edit: Made) -> tuple[int, int]:
    keys = keys_of(edit.pointer)
    last = keys[-1] if keys else ""
    index = int(last) if last.isdecimal() and not isinstance(edit, Insert) else 0
    return -len(keys) - isinstance(edit, Insert), -index


def _with(value: Any, keys: list[str], edit: Made, last: str) -> Any:
    if not keys:
        return _changed(value, edit, last)
    at = _index(value, keys[0])
    copy = value.copy()
    copy[at] = _with(value[at], keys[1:], edit, last)
    return copy


def _changed(holder: Any, edit: Made, last: str) -> Any:
    if isinstance(edit, Insert):
        if not isinstance(holder, dict) or edit.key in holder:
            raise CannotMend(f"{edit.key!r} is there already")
        return {**holder, edit.key: edit.value}
    at = _index(holder, last)
    if isinstance(edit, Rename):
        if not isinstance(holder, dict) or edit.key in holder:
            raise CannotMend(f"{edit.key!r} is there already")
        return {(edit.key if key == at else key): each for key, each in holder.items()}
    copy = holder.copy()
    if isinstance(edit, Remove):
        del copy[at]
    else:
        copy[at] = edit.value
    return copy


def _index(holder: Any, key: str) -> Any:
    """What to index a container with for a pointer's key."""
    if isinstance(holder, dict) and key in holder:
        return key
    if isinstance(holder, list) and key.isdecimal() and int(key) < len(holder):
        return int(key)
    raise CannotMend("there is no such place")
