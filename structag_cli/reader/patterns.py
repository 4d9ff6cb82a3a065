"""What to look for in a text: a grammar's calls as patterns, tolerant as parsers are.

White space between marks may vary. Where the name and the arguments are members of one
JSON object (``{"name": ..., "arguments": ...}``) that object is read as JSON, so order
and spacing are free, as in the engines' own parsers.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache

from structag_cli.formats.model import NAME_PLACEHOLDER, Block, Call, Grammar, Parts

_SENTINEL = "structag-name"


@dataclass(frozen=True, slots=True)
class Envelope:
    """The JSON object that holds name and arguments, by its keys."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class CallPattern:
    """How one way to write a call is found.

    ``begin`` matches up to the arguments (group ``name``), or up to the envelope, and
    ``end`` what follows them. ``first`` is the text by which a call is recognised, before
    the name, and ``last`` that of its end; ``closing`` finds the end, where it is more than
    brackets, which values hold too.
    """

    call: Call
    begin: re.Pattern[str]
    end: re.Pattern[str]
    first: str
    last: str
    closing: re.Pattern[str] | None
    envelope: Envelope | None


@dataclass(frozen=True, slots=True)
class BlockPattern:
    """How the wrapper around all calls is found, with the white space inside its marks."""

    begin: re.Pattern[str]
    end: re.Pattern[str]
    last: str


@lru_cache(maxsize=64)
def block_pattern(block: Block) -> BlockPattern:
    """A pattern for a format's block."""
    begin, end = block.begin.strip(), block.end.strip()
    return BlockPattern(re.compile(_loose(begin) + r"\s*"), re.compile(_loose(end)), end)


@lru_cache(maxsize=64)
def _compiled(calls: tuple[Call, ...]) -> tuple[CallPattern, ...]:
    return tuple(_pattern(call) for call in calls)


def call_patterns(grammar: Grammar) -> tuple[CallPattern, ...]:
    """A pattern for each way to write a call."""
    return _compiled(grammar.calls)


def _pattern(call: Call) -> CallPattern:
    found = _envelope(call)
    if found is not None:
        return _enveloped(call, *found)
    last = _flat(call.end).strip()
    ends = [_tolerant(call.end), *map(_tolerant, call.or_end)]
    return CallPattern(
        call=call,
        begin=re.compile(_tolerant(call.begin, name=True)),
        end=re.compile(r"\s*(?:" + "|".join(ends) + ")"),
        first=_flat(call.begin).partition(NAME_PLACEHOLDER)[0].strip(),
        last=last,
        closing=_closing(last),
        envelope=None,
    )


def _enveloped(call: Call, marker: str, tail: str, envelope: Envelope) -> CallPattern:
    marker, tail = marker.strip(), tail.strip()
    return CallPattern(
        call=call,
        begin=re.compile(_loose(marker) + r"\s*(?=\{)" if marker else r"(?=\{\s*\")"),
        end=re.compile(r"\s*" + _loose(tail)),
        first=marker,
        last=tail,
        closing=_closing(tail),
        envelope=envelope,
    )


def _closing(last: str) -> re.Pattern[str] | None:
    return re.compile(_loose(last)) if any(map(str.isalnum, last)) else None


def _envelope(call: Call) -> tuple[str, str, Envelope] | None:
    """The text before the object, the text behind it, and its keys."""
    text = _flat(call.begin).replace(NAME_PLACEHOLDER, _SENTINEL) + "null" + _flat(call.end)
    for at in (m.start() for m in re.finditer(r"\{", text)):
        try:
            value, end = json.JSONDecoder().raw_decode(text, at)
        except ValueError:
            continue
        names = [key for key, member in value.items() if member == _SENTINEL]
        arguments = [key for key, member in value.items() if member is None]
        if names and arguments:
            return text[:at], text[end:], Envelope(names[0], arguments[0])
    return None


def _flat(parts: Parts) -> str:
    listed = (parts,) if isinstance(parts, str) else parts
    return "".join(part if isinstance(part, str) else part.example for part in listed)


def _tolerant(parts: Parts, *, name: bool = False) -> str:
    listed = (parts,) if isinstance(parts, str) else parts
    texts = [_loose(p) if isinstance(p, str) else f"(?:{p.regex})" for p in listed]
    joined = "".join(texts).removeprefix(r"\s*") if name else "".join(texts)
    hole = re.escape(NAME_PLACEHOLDER)
    if not name:
        return joined.replace(hole, ".*?")
    return joined.replace(hole, r"(?P<name>[^\s<>{}\"'\[\]()|,]+)", 1)


def _loose(text: str) -> str:
    """A text as a pattern in which white space may vary, and be absent beside a mark."""
    parts = re.split(r"(\s+)", text)
    return "".join(r"\s*" if part.isspace() else re.escape(part) for part in parts)
