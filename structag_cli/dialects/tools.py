"""One tool in each dialect, and how to tell the dialects apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from structag_cli.dialects.values import Warn, an_object, optional_bool, optional_text, tool_name
from structag_cli.errors import InputError
from structag_cli.place import Place
from structag_cli.request import Dialect, Tool

DIALECTS: tuple[Dialect, ...] = ("openai-chat", "openai-responses", "anthropic", "mcp")

Shape = Dialect | Literal["plain", "hosted"]
"""A dialect; ``plain`` fits any flat dialect; ``hosted`` is run by the provider itself."""


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
    kind = value.get("type")
    if kind == "function" and ("name" in value or "parameters" in value):
        return "openai-responses"
    if isinstance(kind, str) and kind not in ("function", "custom", "object"):
        return "hosted"
    if "parameters" in value:
        return "openai-responses"
    if "name" in value or "description" in value or kind == "custom":
        return "plain"
    raise InputError(
        "not a tool of any known dialect",
        place=place,
        mend=f"known: {', '.join(DIALECTS)}; --dialect says which",
    )


def read_tool_list(
    values: list[Any], place: Place, dialect: Dialect | None, warn: Warn
) -> tuple[tuple[Tool, ...], Dialect]:
    """Read a list of tools, all in one dialect.

    Hosted tools (web search and the like) have no arguments to constrain: they are left
    out, with a warning.

    Raises:
        InputError: a tool is malformed, or the list mixes dialects.
    """
    places = [place.child(index) for index in range(len(values))]
    found = dialect or _common(values, places)
    read = _READERS[found]
    tools = []
    for value, where in zip(values, places, strict=True):
        if _is_hosted(value):
            warn(f"tool of type {value['type']!r} is run by the provider: left out", where)
        else:
            tools.append(read(an_object(value, "a tool", where), where))
    return tuple(tools), found


def _is_hosted(value: Any) -> bool:
    if not isinstance(value, dict) or "function" in value or "input_schema" in value:
        return False
    kind = value.get("type")
    return isinstance(kind, str) and kind not in ("function", "object")


def _common(values: list[Any], places: list[Place]) -> Dialect:
    """The one dialect of all tools."""
    found: Dialect | None = None
    first: Place | None = None
    plain = False
    for value, place in zip(values, places, strict=True):
        shape = shape_of(value, place)
        if shape == "plain" or shape == "hosted":
            plain = plain or shape == "plain"
        elif found is None:
            found, first = shape, place
        elif shape != found:
            raise InputError(
                f"a tool in dialect {shape} among {found} tools (the first at {first})",
                place=place,
                mend="write all in one dialect",
            )
    return found or ("openai-responses" if plain else "openai-chat")


def _chat(value: dict[str, Any], place: Place) -> Tool:
    if "function" not in value:
        raise InputError(
            "a tool without a function" if "name" in value else "a tool without a name",
            place=place,
            mend='OpenAI chat tools are {"type": "function", "function": {"name": ...}}',
        )
    function = an_object(value["function"], "function", place.child("function"))
    return _flat(function, place.child("function"), "parameters")


def _responses(value: dict[str, Any], place: Place) -> Tool:
    return _flat(value, place, "parameters")


def _anthropic(value: dict[str, Any], place: Place) -> Tool:
    return _flat(value, place, "input_schema")


def _mcp(value: dict[str, Any], place: Place) -> Tool:
    return _flat(value, place, "inputSchema")


def _flat(value: dict[str, Any], place: Place, schema_key: str) -> Tool:
    return Tool(
        name=tool_name(value, place),
        description=optional_text(value, "description", place),
        parameters=value.get(schema_key),
        strict=optional_bool(value, "strict", place),
        place=place,
    )


_READERS: dict[Dialect, Callable[[dict[str, Any], Place], Tool]] = {
    "openai-chat": _chat,
    "openai-responses": _responses,
    "anthropic": _anthropic,
    "mcp": _mcp,
}
