"""Replays request logs: one JSON object a line in, one decision a line out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from structag_cli.dialects import read_request
from structag_cli.dialects.values import silent
from structag_cli.errors import InputError
from structag_cli.pipeline import Answer, answer
from structag_cli.place import Place
from structag_cli.policy.settings import SCHEMA_MODES, SCOPES, Deployment
from structag_cli.sources import Document

DEPLOYMENT_KEYS = (
    "tool_call_parser",
    "enable_structural_tag",
    "scope",
    "schema",
    "exclude_tools_when_tool_choice_none",
)


def replay_value(document: Document, profile: str) -> dict[str, Any]:
    """The answer to one row of a log, as the line to write.

    Raises:
        InputError: the row is not an object with ``deployment`` and ``request`` objects.
    """
    try:
        return _replay(document, profile)
    except InputError as err:
        pointer = err.place.pointer if err.place else ""
        raise InputError(err.message, place=document.locate(pointer), mend=err.mend) from None


def _replay(document: Document, profile: str) -> dict[str, Any]:
    value = document.value
    place = Place(document.file)
    if not isinstance(value, dict) or not isinstance(value.get("request"), dict):
        raise InputError('a row is {"deployment": {...}, "request": {...}}', place=place)
    deployment = value.get("deployment")
    if not isinstance(deployment, dict):
        raise InputError("the row has no deployment object", place=place)
    request = read_request(value["request"], place.child("request"), None, silent)
    settings = deployment_from(deployment, place.child("deployment"), profile)
    return row_of(answer(request, settings))


def deployment_from(value: Mapping[str, Any], place: Place, profile: str) -> Deployment:
    """A deployment from a log row's ``deployment`` object.

    Absent keys take Dynamo's own defaults, the master switch (off) included.

    Raises:
        InputError: a key is unknown or has a value of the wrong kind.
    """
    for key in value:
        if key not in DEPLOYMENT_KEYS:
            raise InputError(
                f"unknown key {key!r}",
                place=place.child(key),
                mend=f"known: {', '.join(DEPLOYMENT_KEYS)}",
            )
    return Deployment(
        parser=_text(value, "tool_call_parser", place),
        enabled=_flag(value, "enable_structural_tag", False, place),
        scope=_one_of(value, "scope", SCOPES, place),
        schema=_one_of(value, "schema", SCHEMA_MODES, place),
        exclude_tools_on_none=_flag(value, "exclude_tools_when_tool_choice_none", True, place),
        profile=profile,
    )


def _text(value: Mapping[str, Any], key: str, place: Place) -> str | None:
    found = value.get(key)
    if found is not None and not isinstance(found, str):
        raise InputError(f"{key} is not a string", place=place.child(key))
    return found


def _flag(value: Mapping[str, Any], key: str, default: bool, place: Place) -> bool:
    found = value.get(key)
    if found is None:
        return default
    if not isinstance(found, bool):
        raise InputError(f"{key} is not true or false", place=place.child(key))
    return found


def _one_of(value: Mapping[str, Any], key: str, allowed: tuple[Any, ...], place: Place) -> Any:
    found = value.get(key)
    if found is None:
        return allowed[0]
    if found not in allowed:
        raise InputError(
            f"{key} is {found!r}", place=place.child(key), mend=f"one of {', '.join(allowed)}"
        )
    return found


def row_of(answer: Answer) -> dict[str, Any]:
    """An answer as the line that ``explain --jsonl`` writes."""
    decision = answer.decision
    return {
        "outcome": "structural_tag" if decision.outcome == "ban" else decision.outcome,
        "structural_tag": None if answer.tag is None else answer.tag.to_json(),
        "guided_json": decision.guided_json,
        "error": decision.error,
        "reason": decision.reason,
    }


def fault_row(error: str, reason: str) -> dict[str, Any]:
    """The line for a row that cannot be read as a request."""
    return {
        "outcome": "error",
        "structural_tag": None,
        "guided_json": None,
        "error": error,
        "reason": reason,
    }
