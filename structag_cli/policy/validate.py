"""What the server refuses before any policy: Dynamo's own checks and messages.

Source: Dynamo 1.3.1 and 1.6.1, both answer HTTP 400 with these texts.
"""

from __future__ import annotations

import re

from structag_cli.policy.decision import Reason
from structag_cli.request import ResponseFormat, Tool, ToolRequest

_NAME = re.compile(r"[A-Za-z0-9_-]+")
OPENAI_NAME_LIMIT = 64
"""Characters that OpenAI allows in a name; Dynamo accepts longer ones."""

NAME_LIMIT = 96
"""Bytes of UTF-8 that Dynamo allows in a name (Dynamo's request validation before the
release that also checks that parameters are an object; 1.3.1 does not check that)."""

MAX_TOOLS = 1536
"""Most tools of a request (same source)."""


def refusal(request: ToolRequest) -> tuple[str, Reason] | None:
    """The server's error message for a request that it refuses, and the rule."""
    message = _response_format_fault(request.response_format)
    if message:
        return message, Reason("bad-response-format", message, "response_format")
    count = len(request.tools or ())
    if count > MAX_TOOLS:
        message = f"Maximum of {MAX_TOOLS} tools are supported, got {count}"
        return message, Reason("too-many-tools", message, "tools")
    for index, tool in enumerate(request.tools or ()):
        message = name_fault(index, tool)
        if message:
            return message, Reason("bad-name", message, "tools", tool.place)
    choice = request.choice
    if choice.mode == "required" and not request.tools:
        message = 'tool_choice is "required" but tools is empty'
        return message, Reason("required-without-tools", message, "tool_choice", choice.place)
    if choice.mode == "named" and find_tool(request, choice.name) is None:
        message = f'tool named "{choice.name}" in tool_choice is not present in tools'
        return message, Reason("unknown-tool", message, "tool_choice", choice.place)
    for name in choice.allowed or ():
        if find_tool(request, name) is None:
            message = f'tool named "{name}" in tool_choice is not present in tools'
            return message, Reason("unknown-tool", message, "tool_choice", choice.place)
    return None


def _response_format_fault(response_format: ResponseFormat | None) -> str | None:
    if response_format is None or response_format.kind != "json_schema":
        return None
    if response_format.name == "":
        return "`response_format.json_schema.name` cannot be empty"
    if response_format.schema is None:
        return (
            "`response_format.json_schema.schema` is required when "
            "`response_format.type` is `json_schema`"
        )
    return None


def name_fault(index: int, tool: Tool) -> str | None:
    """The server's message for a name that it refuses."""
    size = len(tool.name.encode())
    if size > NAME_LIMIT:
        return (
            f"Function name at index {index} exceeds {NAME_LIMIT} character limit, "
            f"got {size} characters"
        )
    if not tool.name.strip():
        return f"Function name at index {index} cannot be empty"
    if not _NAME.fullmatch(tool.name):
        return (
            f'Function at index {index} has an invalid name: "{tool.name}". '
            "Only a-z, A-Z, 0-9, underscores, and dashes are allowed."
        )
    return None


def find_tool(request: ToolRequest, name: str | None) -> Tool | None:
    """The first tool of that name, as Dynamo picks it."""
    return next((tool for tool in request.tools or () if tool.name == name), None)
