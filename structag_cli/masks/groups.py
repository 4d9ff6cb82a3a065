"""Allowed tokens in readable groups."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from structag_cli.masks.mask import Mask

_NAMES = {
    "L": "letters",
    "N": "digits and numbers",
    "P": "punctuation",
    "S": "symbols",
    "M": "marks",
    "Z": "spaces",
    "C": "control characters",
}


@dataclass(frozen=True, slots=True)
class Group:
    """Some of the allowed tokens: by ``meaning`` or by ``first`` character."""

    name: str
    count: int
    examples: tuple[int, ...]


def by_meaning(
    mask: Mask, pieces: Sequence[bytes], stops: Sequence[int], markers: Sequence[str], text: str
) -> list[Group]:
    """Stop tokens, beginnings of markers, white space, free text; empty groups left out.

    Args:
        mask: what is allowed.
        pieces: bytes by id.
        stops: stop ids.
        markers: triggers and begins of calls.
        text: what was written so far, for markers that were begun.
    """
    ends = set(stops)
    wanted = tuple({rest.encode() for marker in markers for rest in _rests(marker, text)})
    groups: dict[str, list[int]] = {"stop": [], "trigger": [], "white space": [], "text": []}
    for index in mask.allowed_ids():
        data = pieces[index]
        if index in ends:
            groups["stop"].append(index)
        elif any(data.startswith(rest) or rest.startswith(data) for rest in wanted):
            groups["trigger"].append(index)
        elif data.isspace():
            groups["white space"].append(index)
        else:
            groups["text"].append(index)
    return [Group(name, len(ids), tuple(ids[:12])) for name, ids in groups.items() if ids]


def by_first_character(mask: Mask, pieces: Sequence[bytes], most: int = 12) -> list[Group]:
    """Classes of first characters where they are many, the characters where they are few."""
    firsts: dict[str, list[int]] = {}
    for index in mask.allowed_ids():
        firsts.setdefault(_first(pieces[index]), []).append(index)
    if len(firsts) > most:
        merged: dict[str, list[int]] = {}
        for char, ids in firsts.items():
            merged.setdefault(_class(char), []).extend(ids)
        firsts = merged
    ordered = sorted(firsts.items(), key=lambda item: -len(item[1]))
    return [Group(name, len(ids), tuple(ids[:6])) for name, ids in ordered]


def markers_of(node: Any) -> list[str]:
    """Every trigger and begin of a tag, each once."""
    found: Counter[str] = Counter()
    _collect(node, found)
    return list(found)


def _collect(node: Any, found: Counter[str]) -> None:
    if isinstance(node, list):
        for item in node:
            _collect(item, found)
    elif isinstance(node, Mapping):
        begin = node.get("begin")
        if isinstance(begin, str) and begin:
            found[begin] += 1
        found.update(t for t in node.get("triggers") or () if isinstance(t, str))
        for key, value in node.items():
            if key != "json_schema":
                _collect(value, found)


def _rests(marker: str, text: str) -> list[str]:
    """What is missing of a marker, for each way the text may have begun it."""
    begun = [size for size in range(1, len(marker)) if text.endswith(marker[:size])]
    return [marker, *(marker[size:] for size in begun)]


def _first(piece: bytes) -> str:
    text = piece.decode("utf-8", "ignore")
    return text[0] if text else "part of a character"


def _class(char: str) -> str:
    if len(char) > 1:
        return char
    if char in " \t\r\n":
        return _NAMES["Z"]
    if "\u2e80" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" or "\uf900" <= char <= "\ufaff":
        return "CJK"
    return _NAMES[unicodedata.category(char)[0]]
