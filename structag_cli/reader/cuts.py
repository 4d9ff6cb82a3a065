"""Does a text end inside the beginning of a call?

White space is left out of both sides, so that any spacing between marks is covered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from structag_cli.formats.model import NAME_PLACEHOLDER, Grammar, Parts

Opening = tuple[str | re.Pattern[str], ...]
"""Texts, and patterns for what stands between them."""

_LOOK_BACK = 400
_NAME = re.compile(r"[^<>{}\"'\[\]()|,]*")
_SOLID = re.compile(r"\S+")
_OTHER = re.compile(r"[^<>]{0,40}")


def begins(text: str, opening: Sequence[str | re.Pattern[str]]) -> bool:
    """Whether the whole text is the beginning of an opening, cut somewhere in it."""
    if not opening:
        return False
    head, *rest = opening
    if isinstance(head, str):
        if text.startswith(head) and len(text) > len(head):
            return begins(text[len(head) :], rest)
        return head.startswith(text)
    return any(
        begins(text[size:], rest) for size in range(len(text) + 1) if head.fullmatch(text[:size])
    )


def ends_inside(text: str, grammar: Grammar) -> bool:
    """Whether free text ends in the first part of a call's or a block's mark.

    One character is too little to say so, and so are letters alone: they may be a word.
    """
    tail = squeezed(text[-_LOOK_BACK * 10 :])[-_LOOK_BACK:]
    openings = list(_openings(grammar))
    starts = (tail[at:] for at in range(len(tail) - 1))
    return any(
        begins(start, opening) for start in starts if not start.isalnum() for opening in openings
    )


def may_go_on(text: str, closing: str, grammar: Grammar) -> bool:
    """Whether the text behind a call in a block is cut before the block's end."""
    tail, separator = rest_of(text, 0), squeezed(grammar.separator)
    if tail is None:
        return False
    if squeezed(closing).startswith(tail) or separator.startswith(tail):
        return True
    tail = tail.removeprefix(separator)
    return any(begins(tail, _opening(call.begin)) for call in grammar.calls)


def rest_of(text: str, at: int, most: int = 400) -> str | None:
    """What follows, white space left out; ``None`` where that is more than ``most`` characters.

    Never a part of it: a text that was cut here would look as if it ended here.
    """
    parts: list[str] = []
    for match in _SOLID.finditer(text, at):
        parts.append(match.group())
        most -= len(parts[-1])
        if most < 0:
            return None
    return "".join(parts)


def after_space(text: str, at: int, most: int = 200) -> str:
    """Up to ``most`` characters of what follows the white space at a place."""
    match = _SOLID.search(text, at)
    return "" if match is None else text[match.start() : match.start() + most]


def squeezed(text: str) -> str:
    """A text without its white space."""
    return "".join(text.split())


def _openings(grammar: Grammar) -> Iterator[Opening]:
    """What a call in free text begins with."""
    if grammar.block is not None:
        yield (squeezed(grammar.block.begin),)
    else:
        yield from (_opening(call.begin) for call in grammar.calls)


def _opening(parts: Parts) -> Opening:
    listed = (parts,) if isinstance(parts, str) else parts
    found: list[str | re.Pattern[str]] = []
    for part in listed:
        if not isinstance(part, str):
            found.append(_OTHER)
            continue
        for index, piece in enumerate(part.split(NAME_PLACEHOLDER)):
            found += [_NAME] if index else []
            found += [squeezed(piece)] if squeezed(piece) else []
    return tuple(found)
