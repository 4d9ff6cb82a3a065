"""What the examples of several rules are made of: a tool, a request, a grammar file."""

from __future__ import annotations

from typing import Any

MESSAGES = [{"role": "user", "content": "hi"}]


def tool(name: str = "f", **more: Any) -> dict[str, Any]:
    """A tool that no rule of tools finds fault with; ``more`` stands beside its parameters."""
    parameters = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
    }
    function = {"name": name, "description": "Do it.", "parameters": parameters, **more}
    return {"type": "function", "function": function}


def request(*tools: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A request with these tools, or with the sample tool."""
    return {"messages": MESSAGES, "tools": list(tools) or [tool()], **more}


CALL = {"begin": "<call>{name}", "style": "json", "end": "</call>"}


def grammar_file(**other: Any) -> dict[str, Any]:
    """A small format that holds, but for what is given; ``accept`` is an accepted text."""
    accept = other.pop("accept", '<call>f{"a": 1}</call>')
    parameters = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    return {
        "format": "mine",
        "title": "My format",
        "names": {},
        "calls": [CALL],
        "triggers": ["<call>"],
        "profiles": {},
        "facts": [],
        "examples": {
            "tools": [{"name": "f", "parameters": parameters}],
            "accept": [{"text": accept}],
            "reject": [],
            "parse": [],
        },
        **other,
    }
