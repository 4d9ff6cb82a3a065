"""The layout of JSON, and of a text with one JSON value a line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, Literal

from structag_cli.lint.fixes.layout import Part

_value: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
_SPACE = re.compile(r"[ \t\r\n]*")
_KINDS: dict[str, Literal["map", "list"]] = {"{": "map", "[": "list"}


class JsonLayout:
    """Looks only into the containers that are asked for, each once."""

    def __init__(self, text: str, *, lines: bool = False) -> None:
        self.text = text
        self._known: dict[int, list[Part]] = {}
        self.root = Part(0, len(text), "list") if lines else self._part(self._skip(0), "")
        if lines:
            self._known[-1] = list(self._lines())
            self.root.start = -1

    def children(self, part: Part) -> list[Part]:
        """The members or items of a container, in order."""
        if part.kind == "scalar":
            return []
        found = self._known.get(part.start)
        if found is None:
            scan = self._members if part.kind == "map" else self._items
            found = self._known[part.start] = scan(part.start + 1)
        return found

    def _lines(self) -> list[Part]:
        found: list[Part] = []
        start = 0
        for line in self.text.split("\n"):
            if line.strip():
                found.append(self._part(self._skip(start), str(len(found))))
            start += len(line) + 1
        return found

    def _members(self, at: int) -> list[Part]:
        found: list[Part] = []
        at = self._skip(at)
        while self.text[at] == '"':
            name, end = scanstring(self.text, at + 1, True)
            part = self._part(self._skip(self._skip(end) + 1), name)
            part.key = (at, end)
            found.append(part)
            at = self._next(part)
        return found

    def _items(self, at: int) -> list[Part]:
        found: list[Part] = []
        at = self._skip(at)
        while self.text[at] != "]":
            found.append(self._part(at, str(len(found))))
            at = self._next(found[-1])
        return found

    def _next(self, part: Part) -> int:
        """Where the next part begins, or the closing bracket."""
        at = self._skip(part.end)
        return self._skip(at + 1) if self.text[at] == "," else at

    def _part(self, at: int, name: str) -> Part:
        style = '"' if self.text[at] == '"' else ""
        return Part(
            at, _value(self.text, at)[1], _KINDS.get(self.text[at], "scalar"), name, style=style
        )

    def _skip(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return at if found is None else found.end()
