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


def calls_schema(tools: tuple[Tool, ...]) -> dict[str, Any]:
    """The schema of a non-empty list of calls of any of the tools."""
    return {
        "type": "array",
        "minItems": 1,
        "items": {"type": "object", "anyOf": [_call_schema(tool) for tool in tools]},
    }


def _call_schema(tool: Tool) -> dict[str, Any]:
    return {
        "properties": {
            "name": {"type": "string", "enum": [tool.name]},
            "parameters": arguments_schema(tool),
        },
        "required": ["name", "parameters"],
    }
