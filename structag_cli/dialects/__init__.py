"""Whatever people hold their tools in becomes one ``ToolRequest``."""

from __future__ import annotations

from typing import Any

from structag_cli.dialects.choice import read_tool_choice
from structag_cli.dialects.requests import is_request, read_request
from structag_cli.dialects.tools import DIALECTS, MixedDialectsError, read_tool_list
from structag_cli.dialects.values import Warn, an_object, kind_of, places_below, silent
from structag_cli.errors import InputError
from structag_cli.place import Place
from structag_cli.request import Dialect, Tool, ToolRequest
from structag_cli.sources import Document

__all__ = [
    "DIALECTS",
    "read_request",
    "read_tool_choice",
    "read_tool_request",
    "read_tools",
    "tool_request_from_value",
]


def read_tool_request(
    document: Document, *, dialect: Dialect | None = None, warn: Warn = silent
) -> ToolRequest:
    """The request that a document holds; a mere tool list is a request with nothing else.

    Args:
        document: a request, a tool list, one tool, an MCP ``tools/list`` answer.
        dialect: forces the dialect; by default the keys tell.
        warn: takes warnings (a provider's own tools are left out).

    Raises:
        InputError: it is none of these, or something in it has the wrong kind.
    """
    try:
        return tool_request_from_value(document.value, document.file, dialect=dialect, warn=warn)
    except InputError as err:
        raise _located(err, document) from None


def _located(err: InputError, document: Document) -> InputError:
    """The error with the lines and columns that the document knows."""
    if err.place is None:
        return err
    place = document.locate(err.place.pointer)
    if isinstance(err, MixedDialectsError):
        first = document.locate(err.first.pointer)
        return MixedDialectsError(err.shape, err.found, first, place)
    return InputError(err.message, place=place, mend=err.mend)


def tool_request_from_value(
    value: Any,
    file: str,
    *,
    dialect: Dialect | None = None,
    warn: Warn = silent,
    place: Place | None = None,
) -> ToolRequest:
    """As ``read_tool_request``, from a value at ``place`` of ``file``."""
    place = place or Place(file)
    if isinstance(value, dict) and not _is_answer(value) and is_request(value):
        return read_request(value, place, dialect, warn)
    values, places = _listed(value, place)
    tools, found = read_tool_list(values, places, dialect, warn)
    return ToolRequest(tools, dialect=found, place=place)


def read_tools(
    document: Document, *, dialect: Dialect | None = None, warn: Warn = silent
) -> tuple[Tool, ...]:
    """The tools that a document holds, ``()`` for a request without any.

    Raises:
        InputError: as ``read_tool_request``.
    """
    return read_tool_request(document, dialect=dialect, warn=warn).tools or ()


def _is_answer(value: dict[str, Any]) -> bool:
    """Whether this is an MCP JSON-RPC response."""
    return "jsonrpc" in value or isinstance(value.get("result"), dict)


def _listed(value: Any, place: Place) -> tuple[list[Any], list[Place]]:
    """The tools of a bare list, an MCP answer, or one tool, and their places."""
    if isinstance(value, dict) and _is_answer(value):
        value, place = _answer(value, place)
    elif isinstance(value, dict):
        return [value], [place]
    if not isinstance(value, list):
        raise InputError(
            f"{kind_of(value)} where a tool list or a request is expected", place=place
        )
    return value, places_below(place, len(value))


def _answer(value: dict[str, Any], place: Place) -> tuple[list[Any], Place]:
    if "error" in value and "result" not in value:
        raise InputError("the MCP answer is an error", place=place.child("error"))
    where = place.child("result")
    tools = an_object(value.get("result"), "the MCP result", where).get("tools")
    if not isinstance(tools, list):
        raise InputError("the MCP result has no tools", place=where)
    return tools, where.child("tools")
