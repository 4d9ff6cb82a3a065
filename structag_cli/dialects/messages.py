"""Messages of the Responses and Anthropic dialects as OpenAI chat messages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from structag_cli.dialects.values import a_list, an_object, kind_of
from structag_cli.errors import InputError
from structag_cli.place import Place

Messages = tuple[Mapping[str, Any], ...]


def chat_messages(request: Mapping[str, Any], place: Place) -> Messages:
    """The messages of a chat request, as they are."""
    found = request.get("messages")
    if found is None:
        return ()
    where = place.child("messages")
    listed = a_list(found, "messages", where)
    return tuple(an_object(m, "a message", where.child(i)) for i, m in enumerate(listed))


def check_messages(messages: Messages, place: Place) -> None:
    """Look whether a model can be asked these.

    Args:
        messages: chat messages.
        place: of their list.

    Raises:
        InputError: a message has no role, or its content is neither text nor parts.
    """
    for index, message in enumerate(messages):
        where = place.child(index)
        role, content = message.get("role"), message.get("content")
        if not isinstance(role, str) or not role:
            raise InputError(
                "a message without a role" if role is None else "a message's role is a word",
                place=where if role is None else where.child("role"),
                mend='"role": "user"',
            )
        if not isinstance(content, str | list | None):
            raise InputError(
                f"a message's content is {kind_of(content)}",
                place=where.child("content"),
                mend="text, or a list of parts",
            )


def responses_messages(request: Mapping[str, Any], place: Place) -> Messages:
    """``instructions`` and ``input`` of a Responses request."""
    messages: list[Mapping[str, Any]] = []
    if isinstance(request.get("instructions"), str):
        messages.append({"role": "system", "content": request["instructions"]})
    found = request.get("input")
    if isinstance(found, str):
        messages.append({"role": "user", "content": found})
    elif found is not None:
        where = place.child("input")
        for index, item in enumerate(a_list(found, "input", where)):
            _add_item(messages, an_object(item, "an input item", where.child(index)))
    return tuple(messages)


def _add_item(messages: list[Mapping[str, Any]], item: Mapping[str, Any]) -> None:
    """Add an input item; calls in a row are one message, as chat templates expect."""
    if item.get("type") != "function_call":
        message = _response_item(item)
        if message is not None:
            messages.append(message)
        return
    call = _call(str(item.get("call_id")), item.get("name"), item.get("arguments"))
    if messages and messages[-1].get("tool_calls"):
        messages[-1]["tool_calls"].append(call)
    else:
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})


def _response_item(item: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """A message or a call's result; ``None`` for reasoning, references and hosted calls."""
    kind = item.get("type", "message")
    if kind == "function_call_output":
        content = _plain(item.get("output"))
        return {"role": "tool", "tool_call_id": item.get("call_id"), "content": content}
    if kind != "message":
        return None
    return {"role": item.get("role", "user"), "content": _plain(item.get("content"))}


def anthropic_messages(request: Mapping[str, Any], place: Place) -> Messages:
    """``system`` and ``messages`` of an Anthropic request."""
    messages: list[Mapping[str, Any]] = []
    if request.get("system"):
        messages.append({"role": "system", "content": _plain(request["system"])})
    for message in chat_messages(request, place):
        messages += _anthropic_message(message)
    return tuple(messages)


def _anthropic_message(message: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    content = message.get("content")
    blocks = [b for b in content if isinstance(b, Mapping)] if isinstance(content, list) else []
    for block in blocks:
        if block.get("type") == "tool_result":
            yield {
                "role": "tool",
                "tool_call_id": block.get("tool_use_id"),
                "content": _plain(block.get("content")),
            }
    calls = [
        _call(str(b.get("id")), b.get("name"), b.get("input"))
        for b in blocks
        if b.get("type") == "tool_use"
    ]
    text = _plain(content)
    if calls:
        yield {"role": message.get("role"), "content": text, "tool_calls": calls}
    elif text or not blocks:
        yield {"role": message.get("role"), "content": text}


def _call(call_id: str, name: Any, arguments: Any) -> dict[str, Any]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": text}}


def _plain(content: Any) -> str:
    """The text of a content: a string, or a list of blocks of which the texts count."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = (block.get("text") for block in content if isinstance(block, Mapping))
        return "".join(text for text in texts if isinstance(text, str))
    return ""
