"""Guided JSON: what Dynamo sends where it sends no structural tag.

Source: conformance corpus, Dynamo 1.3.1 rows with ``guided_json``.
"""

from __future__ import annotations

from typing import Any

from structag_cli.request import ResponseFormat, Tool

ANY_OBJECT = {"type": "object"}


def response_schema(response_format: ResponseFormat) -> Any:
    """The schema of the whole output for a constraining ``response_format``."""
    return ANY_OBJECT if response_format.kind == "json_object" else response_format.schema


def constrains(response_format: ResponseFormat | None) -> bool:
    """Whether the format constrains the output (``text`` does not)."""
    return response_format is not None and response_format.kind != "text"


def arguments_schema(tool: Tool) -> Any:
    """A tool's parameters, or those of a tool that takes none."""
    return {"type": "object", "properties": {}} if tool.parameters is None else tool.parameters


class DefinitionsError(ValueError):
    """The tools' ``$defs`` cannot stand side by side; the message is the server's."""


def calls_schema(tools: tuple[Tool, ...]) -> dict[str, Any]:
    """The schema of a non-empty list of calls of any of the tools.

    ``$defs`` of the tools are moved to the root under their own names, so that the
    references in them still hold (Dynamo 1.3.1, seen on a running frontend).

    Raises:
        DefinitionsError: two tools define one name differently, or ``$defs`` is no object.
    """
    definitions: dict[str, Any] = {}
    members = [_call_schema(tool, definitions) for tool in tools]
    schema: dict[str, Any] = {
        "type": "array",
        "minItems": 1,
        "items": {"type": "object", "anyOf": members},
    }
    return {**schema, "$defs": definitions} if definitions else schema


def _call_schema(tool: Tool, definitions: dict[str, Any]) -> dict[str, Any]:
    parameters = arguments_schema(tool)
    if isinstance(parameters, dict) and "$defs" in parameters:
        parameters = {key: value for key, value in parameters.items() if key != "$defs"}
        _move(tool, definitions)
    return {
        "properties": {
            "name": {"type": "string", "enum": [tool.name]},
            "parameters": parameters,
        },
        "required": ["name", "parameters"],
    }


def _move(tool: Tool, definitions: dict[str, Any]) -> None:
    own = tool.parameters["$defs"]
    if not isinstance(own, dict):
        raise DefinitionsError(f"$defs for tool `{tool.name}` must be an object")
    for name, schema in own.items():
        if definitions.setdefault(name, schema) != schema:
            raise DefinitionsError(f"duplicate $defs entry `{name}` has conflicting schemas")
