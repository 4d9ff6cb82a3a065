"""One tool in each dialect, and how to tell the dialects apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from structag_cli.dialects.values import (
    Warn,
    an_object,
    kind_of,
    optional_bool,
    optional_text,
    tool_name,
)
from structag_cli.errors import InputError
from structag_cli.place import Place
from structag_cli.request import Dialect, Tool

DIALECTS: tuple[Dialect, ...] = ("openai-chat", "openai-responses", "anthropic", "mcp")

SCHEMA_KEYS: dict[Dialect, str] = {
    "openai-chat": "parameters",
    "openai-responses": "parameters",
    "anthropic": "input_schema",
    "mcp": "inputSchema",
}
"""Where each dialect keeps a tool's schema."""

Shape = Dialect | Literal["plain", "hosted"]
"""A dialect; ``plain`` fits any flat dialect; ``hosted`` is run by the provider itself."""


class MixedDialectsError(InputError):
    """One list holds tools of two dialects; ``first`` is the place of the first tool."""

    def __init__(self, shape: str, found: str, first: Place, place: Place) -> None:
        super().__init__(
            f"a tool in dialect {shape} among {found} tools (the first at {first})",
            place=place,
            mend="write all in one dialect",
        )
        self.shape, self.found, self.first = shape, found, first


def shape_of(tool: Any, place: Place) -> Shape:
    """Which dialect a tool is written in.

    Raises:
        InputError: it is no tool of any dialect.
    """
    value = an_object(tool, "a tool", place)
    if "function" in value:
        return "openai-chat"
    if "inputSchema" in value:
        return "mcp"
    if "input_schema" in value:
        return "anthropic"
    if "parameters" in value or (value.get("type") == "function" and "name" in value):
        return "openai-responses"
    if _is_hosted(value):
        return "hosted"
    if "name" in value or "description" in value:
        return "plain"
    raise InputError(
        "not a tool of any known dialect",
        place=place,
        mend=f"known: {', '.join(DIALECTS)}; --dialect says which",
    )


def read_tool_list(
    values: list[Any], places: list[Place], dialect: Dialect | None, warn: Warn
) -> tuple[tuple[Tool, ...], Dialect]:
    """Read a list of tools, all in one dialect.

    Hosted tools (web search and the like) have no arguments to constrain: they are left
    out, with a warning.

    Raises:
        InputError: a tool is malformed, or the list mixes dialects.
    """
    found = dialect or _common(values, places)
    read = _READERS[found]
    tools = []
    for index, (value, place) in enumerate(zip(values, places, strict=True)):
        tool = an_object(value, "a tool", place)
        if _is_hosted(tool):
            warn(f"tool of type {tool['type']!r} is run by the provider: left out", place)
            continue
        if dialect is not None:
            _warn_of_other_schemas(tool, dialect, warn, place)
        tools.append(read(tool, place, index))
    return tuple(tools), found


def _is_hosted(value: dict[str, Any]) -> bool:
    kind = value.get("type")
    if not isinstance(kind, str) or kind in ("function", "object"):
        return False
    return "function" not in value and not any(key in value for key in SCHEMA_KEYS.values())


def _warn_of_other_schemas(
    tool: dict[str, Any], dialect: Dialect, warn: Warn, place: Place
) -> None:
    """A forced dialect reads its own fields alone: say which schema that leaves unread."""
    if SCHEMA_KEYS[dialect] in tool or (dialect == "openai-chat" and "function" in tool):
        return
    for key in dict.fromkeys(SCHEMA_KEYS.values()):
        if key in tool:
            warn(f"{key} is not read in dialect {dialect}", place.child(key))


def _common(values: list[Any], places: list[Place]) -> Dialect:
    """The one dialect of all tools."""
    found: Dialect | None = None
    first = None
    plain = False
    for value, place in zip(values, places, strict=True):
        shape = shape_of(value, place)
        if shape == "plain" or shape == "hosted":
            plain = plain or shape == "plain"
        elif found is None or first is None:
            found, first = shape, place
        elif shape != found:
            raise MixedDialectsError(shape, found, first, place)
    return found or ("openai-responses" if plain else "openai-chat")


def _chat(value: dict[str, Any], place: Place, index: int) -> Tool:
    if "function" not in value:
        raise InputError(
            "a tool without a function" if "name" in value else "a tool without a name",
            place=place,
            mend='OpenAI chat tools are {"type": "function", "function": {"name": ...}}',
        )
    inner = Place(place.file, pointer=place.pointer + "/function")
    return _flat(an_object(value["function"], "function", inner), inner, index, "parameters")


def _responses(value: dict[str, Any], place: Place, index: int) -> Tool:
    return _flat(value, place, index, "parameters")


def _anthropic(value: dict[str, Any], place: Place, index: int) -> Tool:
    return _flat(value, place, index, "input_schema")


def _mcp(value: dict[str, Any], place: Place, index: int) -> Tool:
    return _flat(value, place, index, "inputSchema")


def _flat(value: dict[str, Any], place: Place, index: int, schema_key: str) -> Tool:
    name = tool_name(value, place)
    schema = value.get(schema_key)
    if schema is not None and not isinstance(schema, dict):
        raise InputError(
            # Dynamo's own words.
            f'Function parameters at index {index} for "{name}" must be a JSON Schema object',
            place=place.child(schema_key),
            mend=f"it is {kind_of(schema)}",
        )
    return Tool(
        name=name,
        description=optional_text(value, "description", place),
        parameters=schema,
        strict=optional_bool(value, "strict", place),
        place=place,
    )


_READERS: dict[Dialect, Callable[[dict[str, Any], Place, int], Tool]] = {
    "openai-chat": _chat,
    "openai-responses": _responses,
    "anthropic": _anthropic,
    "mcp": _mcp,
}
