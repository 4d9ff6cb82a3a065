"""A suite file: one request a line, with the calls that are expected of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from structag_cli.dialects import read_request
from structag_cli.dialects.messages import check_messages
from structag_cli.dialects.values import silent
from structag_cli.errors import InputError
from structag_cli.place import Place
from structag_cli.request import Tool, ToolRequest
from structag_cli.sources import Document, iter_jsonl

EXPECTED = ("expected", "expected_calls", "calls")
"""Keys of a row under which its expected calls may stand."""


@dataclass(frozen=True, slots=True)
class ExpectedCall:
    """A call that a right answer makes."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One row of a suite. ``expected`` is ``None`` where the row does not say.

    ``digest`` tells rows apart by their content.
    """

    id: str
    request: ToolRequest
    expected: tuple[ExpectedCall, ...] | None
    place: Place
    digest: str


def read_cases(path: str, tools: tuple[Tool, ...] | None = None) -> list[Case]:
    """All rows of a suite file.

    A row is a request of any dialect, flat or under ``request``, with ``id`` and expected
    calls (``expected``, ``expected_calls`` or ``calls``: ``name`` and ``arguments``) beside it.

    Args:
        path: a JSONL file, ``-`` for stdin.
        tools: the tools of rows that bring none.

    Raises:
        InputError: a row cannot be read, two have one id, or there are none.
    """
    cases: list[Case] = []
    seen: dict[str, Place] = {}
    for number, document in iter_jsonl(path):
        if isinstance(document, InputError):
            raise document
        case = _located(document, number, tools)
        if case.id in seen:
            raise InputError(
                f"a second row with id {case.id!r}; the first is at {seen[case.id]}",
                place=case.place,
            )
        seen[case.id] = case.place
        cases.append(case)
    if not cases:
        raise InputError("the suite has no rows", place=Place(path))
    return cases


def _located(document: Document, number: int, tools: tuple[Tool, ...] | None) -> Case:
    try:
        return _case(document, number, tools)
    except InputError as err:
        pointer = err.place.pointer if err.place else ""
        raise InputError(err.message, place=document.locate(pointer), mend=err.mend) from None


def _case(document: Document, number: int, tools: tuple[Tool, ...] | None) -> Case:
    value, place = document.value, Place(document.file)
    if not isinstance(value, dict):
        raise InputError("a row is an object with messages and tools", place=place)
    nested = isinstance(value.get("request"), dict)
    inner = value["request"] if nested else value
    where = place.child("request") if nested else place
    kept = {key: inner[key] for key in inner if nested or key not in (*EXPECTED, "id")}
    request = read_request(kept, where, None, silent)
    if request.tools is None and tools is not None:
        request = replace(request, tools=tools)
    if not request.messages:
        raise InputError("the row has no messages", place=where)
    check_messages(request.messages, where.child("messages"))
    name = value.get("id", number)
    digest = hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
    expected = _expected(value, place)
    _check_expected(expected or (), request, place)
    return Case(str(name), request, expected, document.locate(""), digest)


def _expected(row: Mapping[str, Any], place: Place) -> tuple[ExpectedCall, ...] | None:
    for key in EXPECTED:
        if row.get(key) is not None:
            return _calls(row[key], place.child(key))
    return None


def _check_expected(expected: tuple[ExpectedCall, ...], request: ToolRequest, place: Place) -> None:
    """A call of a tool that the row does not offer can never be made: a slip."""
    if request.tools is None:
        return
    names = [tool.name for tool in request.tools]
    for call in expected:
        if call.name not in names:
            raise InputError(
                f"a call of {call.name!r} is expected, and there is no such tool",
                place=place,
                mend=f"one of {', '.join(names[:5])}" if names else "tools in the row, or --tools",
            )


def _calls(value: Any, place: Place) -> tuple[ExpectedCall, ...]:
    if isinstance(value, dict) and isinstance(value.get("calls"), list):
        value, place = value["calls"], place.child("calls")
    if not isinstance(value, list):
        raise InputError("expected calls are a list", place=place)
    return tuple(_call(item, place.child(index)) for index, item in enumerate(value))


def _call(item: Any, place: Place) -> ExpectedCall:
    """One call, in our own form or in that of a chat message's ``tool_calls``."""
    inner = item.get("function", item) if isinstance(item, dict) else None
    if not isinstance(inner, dict) or not isinstance(inner.get("name"), str):
        raise InputError('a call is {"name": ..., "arguments": {...}}', place=place)
    arguments = inner.get("arguments", {})
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            arguments = None
    if not isinstance(arguments, dict):
        raise InputError("a call's arguments are an object", place=place.child("arguments"))
    return ExpectedCall(inner["name"], arguments)
