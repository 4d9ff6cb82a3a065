"""Small readers of JSON values that name the place when the kind is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from structag_cli.errors import InputError
from structag_cli.place import Place

Warn = Callable[[str, Place], None]
"""Takes a warning and its place."""

KINDS = {
    dict: "an object",
    list: "a list",
    str: "a string",
    bool: "true or false",
    int: "a number",
    float: "a number",
    type(None): "null",
}


def silent(message: str, place: Place) -> None:
    """Drop a warning."""


def places_below(place: Place, count: int) -> list[Place]:
    """The places of a list's items, made cheaply: most are never shown."""
    prefix = place.pointer + "/"
    return [Place(place.file, pointer=prefix + str(index)) for index in range(count)]


def kind_of(value: Any) -> str:
    """What a JSON value is, in words."""
    return KINDS.get(type(value), type(value).__name__)


def an_object(value: Any, what: str, place: Place) -> dict[str, Any]:
    """The value if it is an object."""
    if not isinstance(value, dict):
        raise InputError(f"{what} is {kind_of(value)}, not an object", place=place)
    return value


def a_list(value: Any, what: str, place: Place) -> list[Any]:
    """The value if it is a list."""
    if not isinstance(value, list):
        raise InputError(f"{what} is {kind_of(value)}, not a list", place=place)
    return value


def optional_bool(value: Mapping[str, Any], key: str, place: Place) -> bool | None:
    """A true or false that may be absent or null."""
    found = value.get(key)
    if found is not None and not isinstance(found, bool):
        raise InputError(f"{key} is {kind_of(found)}, not true or false", place=place.child(key))
    return found


def optional_text(value: Mapping[str, Any], key: str, place: Place) -> str | None:
    """A string that may be absent or null."""
    found = value.get(key)
    if found is not None and not isinstance(found, str):
        raise InputError(f"{key} is {kind_of(found)}, not a string", place=place.child(key))
    return found


def tool_name(value: Mapping[str, Any], place: Place) -> str:
    """A tool's name, whatever its characters: policy judges those."""
    found = value.get("name")
    if found is None:
        raise InputError("a tool without a name", place=place, mend='give it a "name"')
    if not isinstance(found, str):
        raise InputError(f"name is {kind_of(found)}, not a string", place=place.child("name"))
    return found
