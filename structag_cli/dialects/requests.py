"""Whole requests: which dialect, and what they ask of tool calling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from structag_cli.dialects.choice import ABSENT, read_tool_choice
from structag_cli.dialects.messages import (
    Messages,
    anthropic_messages,
    chat_messages,
    responses_messages,
)
from structag_cli.dialects.tools import read_tool_list
from structag_cli.dialects.values import (
    Warn,
    a_list,
    an_object,
    kind_of,
    optional_bool,
    optional_text,
    places_below,
)
from structag_cli.errors import InputError
from structag_cli.place import Place
from structag_cli.request import Dialect, ResponseFormat, Tool, ToolChoice, ToolRequest

_MARKS = (
    "messages",
    "input",
    "tools",
    "functions",
    "tool_choice",
    "model",
    "response_format",
    "parallel_tool_calls",
)
"""Fields that only a whole request has."""


_FORMAT_HOLDERS: dict[Dialect, str] = {"openai-responses": "text", "anthropic": "output_config"}
"""Fields whose ``format`` is the response format, with the schema right in it."""
_RESPONSES_MARKS = ("input", "instructions", "text", "previous_response_id")
_ANTHROPIC_MARKS = ("system", "stop_sequences", "output_config", "output_format")


def is_request(value: Mapping[str, Any]) -> bool:
    """Whether an object is a whole request rather than a tool."""
    return any(mark in value for mark in _MARKS)


def read_request(
    value: dict[str, Any], place: Place, dialect: Dialect | None, warn: Warn
) -> ToolRequest:
    """Read a whole request.

    Raises:
        InputError: a field that matters for tool calling has the wrong kind.
    """
    tools, from_tools = _tools(value, place, dialect, warn)
    found = dialect or _dialect(value, from_tools)
    choice, parallel = _choice(value, place)
    return ToolRequest(
        tools=tools,
        choice=choice,
        parallel_tool_calls=parallel,
        response_format=_response_format(value, found, place),
        messages=_messages(value, found, place),
        dialect=found,
        place=place,
    )


def _tools(
    value: dict[str, Any], place: Place, dialect: Dialect | None, warn: Warn
) -> tuple[tuple[Tool, ...] | None, Dialect | None]:
    for key in ("tools", "functions"):
        if value.get(key) is not None:
            where = Place(place.file, pointer=f"{place.pointer}/{key}")
            listed = a_list(value[key], key, where)
            places = places_below(where, len(listed))
            flat: Dialect | None = "openai-responses" if key == "functions" else dialect
            tools, found = read_tool_list(listed, places, flat, warn)
            return tools, found if listed and key == "tools" else None
    return None, None


def _dialect(value: Mapping[str, Any], from_tools: Dialect | None) -> Dialect:
    if "messages" not in value and any(mark in value for mark in _RESPONSES_MARKS):
        return "openai-responses"
    if from_tools == "mcp" or (from_tools == "openai-responses" and "messages" not in value):
        return from_tools
    if from_tools == "anthropic" or any(mark in value for mark in _ANTHROPIC_MARKS):
        return "anthropic"
    return "openai-chat"


def _choice(value: Mapping[str, Any], place: Place) -> tuple[ToolChoice, bool | None]:
    """Tool choice and parallel calls, wherever the dialect has them."""
    parallel = optional_bool(value, "parallel_tool_calls", place)
    found = value.get("tool_choice")
    if found is None and value.get("function_call") is not None:
        return _function_call(value["function_call"], place.child("function_call")), parallel
    if found is None:
        return ABSENT, parallel
    where = place.child("tool_choice")
    choice = read_tool_choice(found, where)
    if isinstance(found, dict):
        single = optional_bool(found, "disable_parallel_tool_use", where)
        if single is not None:
            parallel = not single
    return choice, parallel


def _function_call(value: Any, place: Place) -> ToolChoice:
    """The legacy ``function_call``: a word, or an object that names a function."""
    if isinstance(value, dict) and "type" not in value:
        value = {"type": "function", **value}
    return read_tool_choice(value, place)


def _response_format(
    value: Mapping[str, Any], dialect: Dialect, place: Place
) -> ResponseFormat | None:
    found, where = _format_field(value, dialect, place)
    if found is None:
        return None
    found = an_object(found, "response_format", where)
    kind = found.get("type")
    if kind == "json_schema":
        return _json_schema(found, dialect, where)
    if kind in ("text", "json_object"):
        return ResponseFormat(kind, place=where)
    if kind == "structural_tag":
        raise InputError(
            "the request already carries a structural tag",
            place=where,
            mend="`structag show` reads it",
        )
    raise InputError(
        f"unknown response_format type {kind!r}",
        place=where,
        mend="text, json_object or json_schema",
    )


def _format_field(value: Mapping[str, Any], dialect: Dialect, place: Place) -> tuple[Any, Place]:
    """Where a dialect keeps the response format, and what stands there."""
    holder = _FORMAT_HOLDERS.get(dialect)
    if holder is not None and isinstance(value.get(holder), dict):
        return value[holder].get("format"), place.child(holder, "format")
    key = "output_format" if dialect == "anthropic" else "response_format"
    return value.get(key), place.child(key)


def _json_schema(found: dict[str, Any], dialect: Dialect, place: Place) -> ResponseFormat:
    inner = found
    if "json_schema" in found:
        place = place.child("json_schema")
        inner = an_object(found["json_schema"], "json_schema", place)
    elif dialect not in _FORMAT_HOLDERS:
        raise InputError("response_format has no json_schema", place=place)
    schema = inner.get("schema")
    if schema is not None and not isinstance(schema, (dict, bool)):
        raise InputError(f"the schema is {kind_of(schema)}", place=place.child("schema"))
    return ResponseFormat("json_schema", schema, optional_text(inner, "name", place), place)


def _messages(value: Mapping[str, Any], dialect: Dialect, place: Place) -> Messages:
    if dialect == "openai-responses" and "input" in value:
        return responses_messages(value, place)
    if dialect == "anthropic":
        return anthropic_messages(value, place)
    return chat_messages(value, place)
