"""What the server refuses before any policy: Dynamo's own checks and messages.

Source: Dynamo 1.3.1 and 1.6.1, both answer HTTP 400 with these texts.
"""

from __future__ import annotations

import re

from structag_cli.policy.decision import Reason
from structag_cli.request import Tool, ToolRequest

_NAME = re.compile(r"[A-Za-z0-9_-]+")
OPENAI_NAME_LIMIT = 64
"""Characters that OpenAI allows in a name; Dynamo accepts longer ones."""


def refusal(request: ToolRequest) -> tuple[str, Reason] | None:
    """The server's error message for a request that it refuses, and the rule."""
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


def name_fault(index: int, tool: Tool) -> str | None:
    """The server's message for a name that it refuses."""
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
