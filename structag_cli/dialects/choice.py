"""``tool_choice`` in every spelling."""

from __future__ import annotations

from typing import Any

from structag_cli.dialects.values import a_list, an_object, kind_of
from structag_cli.errors import InputError
from structag_cli.place import Place
from structag_cli.request import ChoiceMode, ToolChoice

ABSENT = ToolChoice(given=False)

_WORDS: dict[str, ChoiceMode] = {
    "auto": "auto",
    "none": "none",
    "required": "required",
    "any": "required",
}
"""``any`` is Anthropic's and Mistral's word for ``required``."""

_MEND = 'auto, none, required, {"type": "function", "function": {"name": ...}} or allowed_tools'


def read_tool_choice(value: Any, place: Place) -> ToolChoice:
    """Read OpenAI's (chat and Responses) or Anthropic's ``tool_choice``.

    Raises:
        InputError: no dialect has this spelling.
    """
    if value is None:
        return ABSENT
    if isinstance(value, str):
        return _word(value, place)
    if not isinstance(value, dict):
        raise InputError(f"tool_choice is {kind_of(value)}", place=place, mend=_MEND)
    kind = value.get("type")
    if kind == "allowed_tools":
        return _allowed(value, place)
    if kind == "function" or (kind is None and "function" in value):
        return _named(value, place)
    if kind == "tool":
        return ToolChoice("named", _name_in(value, place), place=place)
    if isinstance(kind, str) and kind in _WORDS:
        return ToolChoice(_WORDS[kind], place=place)
    fault = "tool_choice has no type" if kind is None else f"unknown tool_choice type {kind!r}"
    raise InputError(fault, place=place, mend=_MEND)


def _word(value: str, place: Place) -> ToolChoice:
    if value not in _WORDS:
        raise InputError(f"unknown tool_choice {value!r}", place=place, mend=_MEND)
    return ToolChoice(_WORDS[value], place=place)


def _named(value: dict[str, Any], place: Place) -> ToolChoice:
    inner = value.get("function", value)
    where = place.child("function") if "function" in value else place
    return ToolChoice("named", _name_in(an_object(inner, "function", where), where), place=place)


def _name_in(value: dict[str, Any], place: Place) -> str:
    name = value.get("name")
    if not isinstance(name, str):
        raise InputError("tool_choice names no tool", place=place, mend='give it a "name"')
    return name


def _allowed(value: dict[str, Any], place: Place) -> ToolChoice:
    """``allowed_tools``: nested in chat requests, flat in Responses requests."""
    inner, where = value, place
    if "allowed_tools" in value:
        where = place.child("allowed_tools")
        inner = an_object(value["allowed_tools"], "allowed_tools", where)
    mode = inner.get("mode", "auto")
    if mode not in ("auto", "required"):
        raise InputError(
            f"allowed_tools has mode {mode!r}", place=where, mend="mode is auto or required"
        )
    tools = a_list(inner.get("tools"), "the tools of allowed_tools", where.child("tools"))
    names = (_allowed_name(t, where.child("tools", i)) for i, t in enumerate(tools))
    allowed = tuple(name for name in names if name is not None)
    return ToolChoice(mode, allowed=allowed, place=place)


def _allowed_name(tool: Any, place: Place) -> str | None:
    """The function's name; ``None`` for a tool that the provider runs itself."""
    if isinstance(tool, str):
        return tool
    value = an_object(tool, "an allowed tool", place)
    if "function" not in value and value.get("type") not in (None, "function"):
        return None
    return _name_in(an_object(value.get("function", value), "function", place), place)
