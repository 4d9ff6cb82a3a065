"""The prompt that a model sees for a request."""

from __future__ import annotations

import json
from typing import Any

from structag_cli.formats.model import Grammar
from structag_cli.prefix.messages import template_messages
from structag_cli.prefix.template import ChatTemplate
from structag_cli.request import Tool, ToolRequest

_FALLBACK = ChatTemplate(
    "the plain prompt",
    "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant: ",
)


def prompt_text(
    template: ChatTemplate | None,
    request: ToolRequest,
    grammar: Grammar,
    *,
    exclude_tools_on_none: bool,
) -> str:
    """Render the prompt.

    Args:
        template: the model's chat template; without one, roles and texts a line each.
        request: its messages and tools.
        grammar: gives the system prompt that explains tools, where the template cannot.
        exclude_tools_on_none: leave the tools out when ``tool_choice`` is none.

    Raises:
        InputError: the template fails on these messages.
    """
    tools = _seen_tools(request, exclude_tools_on_none)
    messages = template_messages(request.messages)
    knows_tools = template is not None and template.knows_tools
    if tools and not knows_tools:
        messages = _explained(messages, grammar, tools)
    return (template or _FALLBACK).render(messages, tools if knows_tools else None)


def explained_messages(
    request: ToolRequest, grammar: Grammar, *, exclude_tools_on_none: bool
) -> list[dict[str, Any]]:
    """The messages, with the tools in the system prompt: for templates that know no tools."""
    tools = _seen_tools(request, exclude_tools_on_none)
    messages = [dict(message) for message in request.messages]
    return _explained(messages, grammar, tools) if tools else messages


def _seen_tools(request: ToolRequest, exclude_on_none: bool) -> list[dict[str, Any]]:
    hidden = exclude_on_none and request.choice.mode == "none"
    return [] if hidden else [tool_json(tool) for tool in request.tools or ()]


def tool_json(tool: Tool) -> dict[str, Any]:
    """A tool in OpenAI's chat form, as templates expect it."""
    function: dict[str, Any] = {"name": tool.name}
    if tool.description is not None:
        function["description"] = tool.description
    function["parameters"] = tool.parameters or {"type": "object", "properties": {}}
    return {"type": "function", "function": function}


def _explained(
    messages: list[dict[str, Any]], grammar: Grammar, tools: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    listed = "\n".join(json.dumps(tool["function"], ensure_ascii=False) for tool in tools)
    text = (grammar.prompt or "You can call these tools:\n{tools}").replace("{tools}", listed)
    if messages and messages[0].get("role") == "system":
        first = {**messages[0], "content": _extended(messages[0].get("content"), text)}
        return [first, *messages[1:]]
    return [{"role": "system", "content": text}, *messages]


def _extended(content: Any, text: str) -> Any:
    """A message's content, a string or a list of parts, with a text behind it."""
    if isinstance(content, list):
        return [*content, {"type": "text", "text": text}]
    return f"{content}\n\n{text}" if content else text
