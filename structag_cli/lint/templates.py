"""A model's own chat template against the tag: calls as the template writes them.

The template is the model's training format: what it writes for a call is what the model
wants to write. Each call is rendered as a turn of the conversation, what stands around
every turn is cut off, and the rest is tried on the tag.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from structag_cli.errors import InputError
from structag_cli.lint.requests import calls_under_tag, request_of
from structag_cli.lint.subject import Subject
from structag_cli.pipeline import answer
from structag_cli.place import Place
from structag_cli.prefix.template import ChatTemplate, EndlessTemplate, find_template
from structag_cli.request import Tool, ToolChoice, ToolRequest

MARK = "structag marks this turn"
"""A turn that is recognized in a rendered conversation."""

_MOST_TOOLS = 3
_NOTHING = {"type": "object", "properties": {}}
_ASKED = {"role": "user", "content": "Please do it."}


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn to render: the calls that it makes, and what to call that."""

    what: str
    tools: tuple[Tool, ...]
    calls: tuple[tuple[str, dict[str, Any]], ...]


@dataclass(frozen=True, slots=True)
class Written:
    """What a template writes for a turn, and the tag that it is for."""

    turn: Turn
    text: str
    tag: dict[str, Any]


def written_turns(subject: Subject) -> list[Written]:
    """The turns of a subject's tools and of a tool without parameters, as texts.

    Nothing without a tokenizer, a template beside it that writes calls, and a parser with
    a tag. Turns that the template refuses are left out.
    """
    template = _template(subject.settings.template, subject.settings.tokenizer)
    if template is None or subject.settings.grammar is None or not calls_under_tag(subject):
        return []
    found = []
    for turn in _turns(subject):
        tag = _tag(subject, turn.tools)
        text = written(template, turn)
        if tag is not None and text is not None:
            found.append(Written(turn, text, tag))
    return found


@lru_cache(maxsize=4)
def _template(file: str | None, tokenizer: str | None) -> ChatTemplate | None:
    if file is not None:
        return find_template(file)
    if tokenizer is None:
        return None
    from structag_cli.lint.stops import opened_tokenizer

    try:
        return find_template(str(opened_tokenizer(tokenizer).source.file))
    except InputError:
        return None


def _turns(subject: Subject) -> Iterator[Turn]:
    """Each tool with few and with all arguments, the first one twice, one without any."""
    tools = [tool for tool in _tools(subject) if tool.parameters is not None][:_MOST_TOOLS]
    first: tuple[str, dict[str, Any]] | None = None
    for tool in tools:
        for arguments in _arguments(tool):
            first = first or (tool.name, arguments)
            count = {1: "one argument"}.get(len(arguments), f"{len(arguments)} arguments")
            yield Turn(f"a call of {tool.name} with {count}", (tool,), ((tool.name, arguments),))
    if first is not None:
        yield Turn(f"two calls of {first[0]}", tuple(tools), (first, first))
    empty = Tool("refresh", "Refresh.", _NOTHING, None, Place("-"))
    yield Turn("a call without arguments", (empty,), (("refresh", {}),))


def _tools(subject: Subject) -> tuple[Tool, ...]:
    request = request_of(subject)
    return () if request is None else request.tools or ()


def _arguments(tool: Tool) -> list[dict[str, Any]]:
    from structag_cli.emit.examples.instances import instances
    from structag_cli.emit.examples.trouble import NoExample

    try:
        found = instances(tool.parameters)
    except (NoExample, RecursionError):
        return []
    return [value for value in reversed(found.values) if isinstance(value, dict) and value]


def _tag(subject: Subject, tools: tuple[Tool, ...]) -> dict[str, Any] | None:
    settings = subject.settings
    request = ToolRequest(tools, choice=ToolChoice("required"))
    found = answer(request, settings.policy, settings.grammar)
    return None if found.tag is None else found.tag.to_json()


def written(template: ChatTemplate, turn: Turn) -> str | None:
    """What the template writes for a turn; ``None`` where it cannot, or writes no calls."""
    tools = [_chat_form(tool) for tool in turn.tools]
    calls = [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": name, "arguments": arguments},
        }
        for number, (name, arguments) in enumerate(turn.calls)
    ]
    said = {"role": "assistant", "content": MARK}
    called = {"role": "assistant", "content": "", "tool_calls": calls}
    try:
        marked = template.render([_ASKED, said], tools, generation=False)
        whole = template.render([_ASKED, called], tools, generation=False)
    except EndlessTemplate:
        raise
    except InputError:
        return None
    before, mark, after = marked.rpartition(MARK)
    if not mark or not whole.startswith(before):
        return None
    text = whole[len(before) :]
    if after and text.endswith(after):
        text = text[: -len(after)]
    return text if turn.calls[0][0] in text else None


def _chat_form(tool: Tool) -> dict[str, Any]:
    from structag_cli.generate.prompts import tool_json

    return tool_json(replace(tool, strict=None))
