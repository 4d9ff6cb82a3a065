"""Places of values and of words inside them, for one document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from structag_cli.deployments.shell import Token
from structag_cli.errors import InputError
from structag_cli.place import Place
from structag_cli.sources import Document

_HOPS = 16
"""Aliases that are followed for one pointer; each leads to an anchor before it."""


class Locator:
    """Finds lines and columns in a document, each place in logarithmic time."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.text = document.text or ""
        self._lines = [0]
        self._lines += [at + 1 for at, char in enumerate(self.text) if char == "\n"]
        self._places, self._aliases = _places(self.text)

    def place(self, pointer: str) -> Place:
        """Where a value stands; an alias's values stand at its anchor."""
        return self.at(self.offset(pointer), pointer)

    def at(self, offset: int, pointer: str) -> Place:
        """The place of an offset."""
        line = bisect_right(self._lines, offset)
        column = offset - self._lines[line - 1] + 1
        return Place(self.document.file, line + self.document.first_line - 1, column, pointer)

    def offset(self, pointer: str) -> int:
        """Where a value, or the nearest one above it, starts."""
        for _ in range(_HOPS):
            above = pointer
            while above and above not in self._places:
                above = above.rpartition("/")[0]
            target = self._aliases.get(above) if above != pointer else None
            if target is not None:
                pointer = target + pointer[len(above) :]
                continue
            if above == pointer or not (merged := self._merged(above, pointer)):
                return self._places.get(above, 0)
            pointer = merged
        return self._places.get(above, 0)

    def _merged(self, above: str, pointer: str) -> str | None:
        """The pointer of a value that ``<<`` brought in."""
        rest = pointer[len(above) :]
        first, slash, after = rest[1:].partition("/")
        del after
        for source in self._sources(f"{above}/<<"):
            if f"{source}/{first}" in self._places:
                return source + rest
        del slash
        return None

    def _sources(self, merge: str) -> Iterator[str]:
        if merge in self._aliases:
            yield self._aliases[merge]
        index = 0
        while f"{merge}/{index}" in self._aliases:
            yield self._aliases[f"{merge}/{index}"]
            index += 1

    def words(self, script: str, tokens: list[Token], pointer: str) -> Iterator[Place]:
        """The places of a script's words, where the script is the value at a pointer.

        The words are looked up in the source text in their order, so that it does not
        matter how the value is written: plain, quoted, folded or as a block.
        """
        start = self.offset(pointer)
        limit = start + 2 * len(script) + 256 * (script.count("\n") + 4)
        at = start
        for token in tokens:
            found = self.text.find(_raw(script, token), at, limit)
            if found >= 0:
                yield self.at(found, pointer)
                at = found + 1
            else:
                yield self.at(at, pointer)


def _raw(script: str, token: Token) -> str:
    """A word as the source has it, up to what an outer quoting might change."""
    raw = script[token.offset : token.end]
    ends = [at for mark in "\"'\\\n" if (at := raw.find(mark, 1)) > 0]
    return raw[: min(ends)] if ends else raw


def _places(text: str) -> tuple[dict[str, int], dict[str, str]]:
    from structag_cli.sources.yaml_source import yaml_places

    try:
        return yaml_places(text)
    except InputError:  # JSON that is no YAML: tabs, say
        return {}, {}
