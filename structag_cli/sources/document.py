"""A document that was read: its value, and where each part of it stands."""

from __future__ import annotations

import re
from bisect import bisect
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from structag_cli.place import Place

Kind = Literal["json", "yaml", "jsonl"]

_BREAK = re.compile("\n")


@dataclass(frozen=True, slots=True)
class Document:
    """One value read from a file, stdin or a line of a log.

    ``text`` is what it was read from (``None``: no places beyond pointers) and
    ``first_line`` the line of the file on which that text starts.
    """

    value: Any
    file: str
    text: str | None = None
    kind: Kind = "json"
    first_line: int = 1

    @property
    def place(self) -> Place:
        """The place of the whole document."""
        return Place(self.file)

    def locate(self, pointer: str) -> Place:
        """The place of a value by its JSON pointer, with line and column.

        The text is scanned only now: places are needed for messages alone. A pointer
        to nothing gives the nearest value above it.
        """
        if self.text is None:
            return Place(self.file, pointer=pointer)
        if self.kind == "yaml":
            from structag_cli.sources.yaml_source import yaml_offset as offset_of
        elif self.kind == "jsonl":
            from structag_cli.sources.json_places import jsonl_offset as offset_of
        else:
            from structag_cli.sources.json_places import json_offset as offset_of
        return place_of(self.text, offset_of(self.text, pointer), self, pointer)


def place_of(text: str, offset: int, document: Document, pointer: str = "") -> Place:
    """The place of a character offset."""
    line, column = line_column(text, offset)
    return Place(document.file, line + document.first_line - 1, column, pointer)


def line_column(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both from 1, of a character offset."""
    starts = line_starts(text)
    line = bisect(starts, offset)
    return line, offset - starts[line - 1] + 1


@lru_cache(maxsize=2)
def line_starts(text: str) -> tuple[int, ...]:
    """Where each line begins; kept, for a text may have a finding in every line."""
    return (0, *(found.end() for found in _BREAK.finditer(text)))
