"""From edits to splices of the text. Whatever cannot be cut out cleanly is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from structag_cli.lint.fixes.edits import (
    CannotMend,
    Edit,
    Insert,
    Made,
    Quote,
    Remove,
    Rename,
    Replace,
)
from structag_cli.lint.fixes.layout import Layout, Part, find
from structag_cli.lint.fixes.scalars import json_scalar, yaml_scalar
from structag_cli.sources.document import Kind

_WORD = re.compile(r"[\w.+-]+", re.ASCII)
_COMMENT = "a comment stands there"


class Splice(NamedTuple):
    """Characters of a text, and what comes in their place."""

    start: int
    end: int
    new: str


class Splicer:
    """Turns edits of one document into splices of its text."""

    def __init__(self, layout: Layout, kind: Kind) -> None:
        self.layout = layout
        self.text = layout.text
        self.yaml = kind == "yaml"

    def splice(self, edit: Edit) -> tuple[Splice, Made]:
        """The splice of an edit, and the edit as one whose result is known.

        Raises:
            CannotMend: it would touch what must stay.
        """
        part, holder = find(self.layout, edit.pointer)
        if part.held:
            raise CannotMend(part.held)
        if isinstance(edit, Insert):
            return self._insert(edit, part), edit
        if holder is None:
            raise CannotMend("it is the whole document")
        if isinstance(edit, Rename):
            return self._rename(edit, part, holder), edit
        if isinstance(edit, Remove):
            return self._remove(part, holder), edit
        if isinstance(edit, Quote):
            return self._quote(part), Replace(edit.pointer, self.text[part.start : part.end])
        return self._replace(edit, part, holder), edit

    def _scalar(self, value: Any, style: str, holder: Part) -> str:
        if isinstance(value, (dict, list)):
            raise CannotMend("only single values are written")
        if not self.yaml:
            return json_scalar(value)
        return yaml_scalar(value, style, flow=not holder.block)

    def _replace(self, edit: Replace, part: Part, holder: Part) -> Splice:
        if part.kind != "scalar":
            raise CannotMend("it is more than one value")
        if part.style in ("|", ">") or part.start == part.end:
            raise CannotMend("it is a block of text" if part.style else "nothing is written there")
        return Splice(part.start, part.end, self._scalar(edit.value, part.style, holder))

    def _quote(self, part: Part) -> Splice:
        raw = self.text[part.start : part.end]
        if part.kind != "scalar" or part.style or not _WORD.fullmatch(raw):
            raise CannotMend("it is no plain word or number")
        return Splice(part.start, part.end, f'"{raw}"')

    def _rename(self, edit: Rename, part: Part, holder: Part) -> Splice:
        if part.key is None:
            raise CannotMend("it has no key")
        return Splice(*part.key, self._scalar(edit.key, part.key_style, holder))

    def _remove(self, part: Part, holder: Part) -> Splice:
        if self.yaml and part.kind != "scalar":
            raise CannotMend("it is more than one value")
        if holder.start < 0:
            raise CannotMend("it is a line of its own")
        siblings = self.layout.children(holder)
        if holder.block:
            return self._without_line(part, siblings)
        at = next(index for index, each in enumerate(siblings) if each is part)
        if at + 1 < len(siblings):
            return self._gap(_begin(part), _begin(siblings[at + 1]), part)
        if at:
            return self._gap(siblings[at - 1].end, part.end, part)
        return Splice(_begin(part), part.end, "")

    def _gap(self, start: int, end: int, part: Part) -> Splice:
        """A part with the comma and the white space beside it, which hold no comment."""
        beside = self.text[start : _begin(part)] + self.text[part.end : end]
        if "#" in beside:
            raise CannotMend(_COMMENT)
        return Splice(start, end, "")

    def _without_line(self, part: Part, siblings: Sequence[Part]) -> Splice:
        start = self.text.rfind("\n", 0, _begin(part)) + 1
        stop = self._line_end(part.end)
        before, after = self.text[start : _begin(part)], self.text[part.end : stop]
        if len(siblings) == 1:
            raise CannotMend("nothing would be left beside it")
        if "#" in after:
            raise CannotMend(_COMMENT)
        if after.strip() or before.strip(" ") != ("" if part.key else "-"):
            raise CannotMend("it shares its line")
        if stop < len(self.text):
            return Splice(start, self.text.index("\n", stop) + 1, "")
        return Splice(len(self.text[:start].rstrip("\r\n")), stop, "")

    def _line_end(self, at: int) -> int:
        """Where a line ends, before its break."""
        stop = self.text.find("\n", at)
        if stop < 0:
            return len(self.text)
        return stop - 1 if self.text[stop - 1 : stop] == "\r" and stop > at else stop

    def _insert(self, edit: Insert, part: Part) -> Splice:
        if part.kind != "map":
            raise CannotMend("it is no object")
        members = self.layout.children(part)
        if part.block:
            return self._new_line(edit, part, members)
        if not members:
            at = part.start + 1
            return Splice(at, at, self._member(edit, part, '"', ": "))
        last = members[-1]
        colon = self._colon(last)
        space = self._space(part, members, colon)
        new = self._member(edit, part, last.key_style, colon)
        return Splice(last.end, last.end, f",{space}{new}")

    def _member(self, edit: Insert, part: Part, style: str, colon: str) -> str:
        key = self._scalar(edit.key, style, part)
        return f"{key}{colon}{self._scalar(edit.value, style, part)}"

    def _colon(self, member: Part) -> str:
        written = self.text[member.key[1] : member.start] if member.key else ""
        return written if written.strip(" ") == ":" else ": "

    def _space(self, part: Part, members: Sequence[Part], colon: str) -> str:
        """The white space before a member in brackets, as the one before the last has it."""
        before = members[-2].end if len(members) > 1 else part.start
        space = self.text[before : _begin(members[-1])].lstrip(" \t")[1:]
        if space.strip() or (len(members) == 1 and "\n" not in space):
            return " " if colon.endswith(" ") else ""
        return space

    def _new_line(self, edit: Insert, part: Part, members: Sequence[Part]) -> Splice:
        """A line of its own, behind the last member that stands on one; else before the first."""
        first = _begin(members[0])
        indent = " " * (first - self.text.rfind("\n", 0, first) - 1)
        line = self._member(edit, part, members[-1].key_style, ": ")
        for member in reversed(members):
            if member.kind in ("scalar", "alias") and member.style not in ("|", ">"):
                stop = self._line_end(member.end)
                if member.start < member.end:
                    return Splice(stop, stop, f"{self._break(stop)}{indent}{line}")
        return Splice(first, first, f"{line}{self._break(first)}{indent}")

    def _break(self, at: int) -> str:
        """The line break that follows, or the one that the text begins with."""
        stop = self.text.find("\n", at)
        stop = self.text.find("\n") if stop < 0 else stop
        return "\r\n" if stop > 0 and self.text[stop - 1] == "\r" else "\n"


def _begin(part: Part) -> int:
    """Where a member or an item begins."""
    return part.start if part.key is None else part.key[0]


def overlap(one: Splice, other: Splice) -> bool:
    """Whether two splices touch the same characters, or the same gap."""
    if one.start == one.end == other.start == other.end:
        return True
    return one.start < other.end and other.start < one.end


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """The text with splices made."""
    pieces: list[str] = []
    at = 0
    for start, end, new in sorted(splices):
        pieces += [text[at:start], new]
        at = end
    return "".join([*pieces, text[at:]])
