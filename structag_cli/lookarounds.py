"""Lookaheads and lookbehinds of a pattern: what they say, and the pattern without them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_AHEAD = ("(?=", "(?!")
_BEHIND = ("(?<=", "(?<!")
_PIECE = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]?|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Lookarounds:
    """``bodies`` are the patterns inside; ``ahead`` is whether any of them looks ahead;
    ``rest`` is the pattern without them, which is how xgrammar from 0.2.6 on reads it."""

    bodies: tuple[str, ...]
    ahead: bool
    rest: str


def lookarounds(pattern: str) -> Lookarounds:
    """Take a pattern apart; escapes and character classes hold no group."""
    bodies: list[str] = []
    rest: list[str] = []
    ahead = False
    at = 0
    while at < len(pattern):
        opening = next((o for o in (*_AHEAD, *_BEHIND) if pattern.startswith(o, at)), "")
        if opening:
            end = _group_end(pattern, at)
            bodies.append(pattern[at + len(opening) : end - 1])
            ahead = ahead or opening in _AHEAD
        else:
            end = _end(pattern, at)
            rest.append(pattern[at:end])
        at = end
    return Lookarounds(tuple(bodies), ahead, "".join(rest))


def _end(pattern: str, at: int) -> int:
    """Where an escape, a character class or a single character ends."""
    piece = _PIECE.match(pattern, at)
    return len(pattern) if piece is None else piece.end()


def _group_end(pattern: str, at: int) -> int:
    """Where the group that opens at ``at`` is closed; past the end where it is not."""
    depth = 0
    while at < len(pattern):
        depth += {"(": 1, ")": -1}.get(pattern[at], 0)
        at = _end(pattern, at)
        if depth == 0:
            return at
    return len(pattern) + 1
