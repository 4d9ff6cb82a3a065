"""The request's body: the same request in the three ways that a server takes it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from structag_cli.emit.payload import payload
from structag_cli.formats.model import Grammar
from structag_cli.generate.prompts import explained_messages, tool_json
from structag_cli.generate.settings import Decoding
from structag_cli.request import ResponseFormat, Tool, ToolChoice, ToolRequest

Way = Literal["chat", "completions", "tools"]
"""How the server is asked.

``chat``: messages that explain the tools, and the tag; the text comes back raw.
``completions``: a prompt rendered here, and the tag; the text comes back raw.
``tools``: tools and tool choice as any client sends them; the server brings its own
constraint and parses the calls.
"""

CALLS: dict[Way, str] = {
    "chat": "/chat/completions",
    "completions": "/completions",
    "tools": "/chat/completions",
}
"""What is asked in each way."""


def raw_body(
    tag: Mapping[str, Any] | None, engine: str, model: str, settings: Decoding
) -> dict[str, Any]:
    """What a request for raw text holds beside its messages or prompt.

    Special tokens stay in the text: markers of calls are special tokens in some models.
    """
    constraint = {} if tag is None else payload(tag, engine)
    return {**_common(model, settings), "skip_special_tokens": False, **constraint}


def chat_messages(
    request: ToolRequest, grammar: Grammar, *, exclude_tools_on_none: bool
) -> dict[str, Any]:
    """The messages of a chat request without tools: the system prompt explains them.

    Beside ``tools`` servers differ in what they make of a tag, and in whether their
    prompt shows the tools when the choice is none.
    """
    return {
        "messages": explained_messages(
            request, grammar, exclude_tools_on_none=exclude_tools_on_none
        )
    }


def tools_body(request: ToolRequest, model: str, settings: Decoding) -> dict[str, Any]:
    """A chat request with tools, as any client sends it."""
    body = {**_common(model, settings), "messages": [dict(m) for m in request.messages]}
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    if request.tools and request.choice.given:
        body["tool_choice"] = _choice(request.choice)
    if request.tools and request.parallel_tool_calls is not None:
        body["parallel_tool_calls"] = request.parallel_tool_calls
    if request.response_format is not None:
        body["response_format"] = _format(request.response_format)
    return body


def seeded(body: Mapping[str, Any], settings: Decoding, stream: int) -> dict[str, Any]:
    """The body of one output; where there is chance, outputs differ in their seed."""
    chance = {"seed": settings.seed + stream} if settings.temperature > 0 else {}
    return {**body, **chance}


def _common(model: str, settings: Decoding) -> dict[str, Any]:
    common: dict[str, Any] = {
        "model": model,
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": settings.max_new_tokens,
        "temperature": settings.temperature,
    }
    if settings.top_p != 1.0:
        common["top_p"] = settings.top_p
    if settings.stop:
        common["stop"] = list(settings.stop)
    return common


def _tool(tool: Tool) -> dict[str, Any]:
    value = tool_json(tool)
    if tool.strict is not None:
        value["function"]["strict"] = tool.strict
    return value


def _choice(choice: ToolChoice) -> Any:
    if choice.mode == "named":
        return {"type": "function", "function": {"name": choice.name}}
    if choice.allowed is None:
        return choice.mode
    tools = [{"type": "function", "function": {"name": name}} for name in choice.allowed]
    return {"type": "allowed_tools", "allowed_tools": {"mode": choice.mode, "tools": tools}}


def _format(wanted: ResponseFormat) -> dict[str, Any]:
    if wanted.kind != "json_schema":
        return {"type": wanted.kind}
    inner = {"name": wanted.name or "answer", "schema": wanted.schema}
    return {"type": "json_schema", "json_schema": inner}


def body_text(body: Mapping[str, Any]) -> str:
    """A body for people to read."""
    return json.dumps(body, ensure_ascii=False, indent=2)
