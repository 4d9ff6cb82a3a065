"""Messages as a server shows them to the chat template."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any


def template_messages(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Messages in the form that templates expect.

    Content that is null is empty, content in text parts is one text, and arguments of calls,
    which requests carry as JSON in a string, are objects.

    Source: ``may_be_fix_msg_content`` and ``normalize_tool_arguments_in_messages`` in
    ai-dynamo/dynamo's prompt templates.
    """
    return [_message(message) for message in messages]


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    fixed = dict(message)
    content = fixed.get("content")
    if content is None:
        fixed["content"] = ""
    elif isinstance(content, list) and content and all(map(_is_text, content)):
        fixed["content"] = "\n".join(part["text"] for part in content)
    if isinstance(fixed.get("tool_calls"), list):
        fixed["tool_calls"] = [_call(call) for call in fixed["tool_calls"]]
    return fixed


def _is_text(part: Any) -> bool:
    return (
        isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str)
    )


def _call(call: Any) -> Any:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("arguments"), str):
        return call
    try:
        arguments = json.loads(function["arguments"])
    except (ValueError, RecursionError):
        return call
    return {**call, "function": {**function, "arguments": arguments}}
