"""Tools as a server shows them to the chat template."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def dynamo_tools(tools: Sequence[Any]) -> list[Any]:
    """Tools in the form in which Dynamo hands them to the template.

    The server reads a request into typed values and writes them again: a function without
    a description then has ``"description": null`` after its other fields, and parameters
    that are an object without ``type`` or ``properties`` get them.

    Source: ``prompt_tokens`` of the conformance corpus, Dynamo 1.3.1 and 1.6.1, which no
    other form reproduces; ``may_be_fix_tool_schema`` in ai-dynamo/dynamo's templates.
    """
    return [_tool(tool) for tool in tools]


def _tool(tool: Any) -> Any:
    if not isinstance(tool, dict) or not isinstance(tool.get("function"), dict):
        return tool
    function = dict(tool["function"])
    parameters = function.get("parameters")
    if isinstance(parameters, dict):
        function["parameters"] = {"type": "object", "properties": {}} | parameters
        if set(parameters) >= {"type", "properties"}:
            function["parameters"] = parameters
    function.setdefault("description", None)
    return {**tool, "function": function}
