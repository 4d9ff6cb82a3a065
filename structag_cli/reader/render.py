"""Calls as the model's own template writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from structag_cli.formats.model import NAME_PLACEHOLDER, Grammar, Parts
from structag_cli.reader.styles import style_within
from structag_cli.reader.values import Call


def render_calls(
    grammar: Grammar,
    calls: Sequence[Call],
    *,
    content: str = "",
    schemas: Mapping[str, Any] | None = None,
) -> str:
    """The text of an output that makes these calls.

    Args:
        grammar: the format; its first way to write a call is used.
        calls: at least one.
        content: text before the calls, with the white space that ends it.
        schemas: parameters by tool name, for styles that need types.
    """
    texts = [
        _call(grammar, call, index, (schemas or {}).get(call.name, True))
        for index, call in enumerate(calls)
    ]
    joined = grammar.separator.join(texts)
    if grammar.block is not None:
        joined = f"{grammar.block.begin}{joined}{grammar.block.end}"
    return f"{content}{grammar.lead}{joined}"


def _call(grammar: Grammar, call: Call, index: int, schema: Any) -> str:
    way = grammar.calls[0]
    begin, end = _fill(way.begin, call.name, index), _fill(way.end, call.name, index)
    return begin + style_within(way.style, begin, end).render(call.arguments, schema) + end


def _fill(parts: Parts, name: str, index: int) -> str:
    """Texts as they are; regular expressions by their example, numbers counting up."""
    listed = (parts,) if isinstance(parts, str) else parts
    return "".join(
        part.replace(NAME_PLACEHOLDER, name)
        if isinstance(part, str)
        else _example(part.example, index)
        for part in listed
    )


def _example(example: str, index: int) -> str:
    return str(int(example) + index) if example.isdigit() else example
