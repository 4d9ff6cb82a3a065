"""Variables that a file sets itself, put in where its commands use them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from structag_cli.deployments.model import Word

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_ASSIGNED = re.compile(rf"({_NAME})(\+?)=(.*)", re.DOTALL)
_WHOLE = re.compile(rf"\$(?:\{{({_NAME})(?:\[[@*]\])?\}}|({_NAME}))")
_INSIDE = re.compile(rf"\$(?:\{{({_NAME})\}}|({_NAME}))")
_KUBERNETES = re.compile(rf"\$\(({_NAME})\)")
_OPENING = ("if", "case", "while", "until", "for", "select", "{", "then", "else", "elif", "do")
_BLOCKS = ("if", "case", "while", "until", "for", "select", "{")
_ENDS = ("fi", "esac", "done", "}")
_PREFIXES = ("export", "local", "declare", "readonly", "-x", "-a", "-r")
_MOST = 1_000
"""Words that one variable may hold, so that a script cannot grow without end."""
_LONGEST = 10_000
"""Characters that a variable, or a word with variables in it, may have."""


class Variables:
    """The variables of one script, as far as the script alone tells their values.

    What a branch, a loop or a function sets is not told: whether it runs is not known.
    """

    def __init__(self, known: Mapping[str, Word] | None = None) -> None:
        self._values: dict[str, list[Word]] = {
            name: [word] for name, word in (known or {}).items() if "$" not in word.text
        }
        self._depth = 0

    def command(self, words: Sequence[Word]) -> list[Word]:
        """A command with its variables put in; what it assigns counts for those after it."""
        rest = list(words)
        while rest and rest[0].text in (*_OPENING, *_ENDS):
            self._depth += (rest[0].text in _BLOCKS) - (rest[0].text in _ENDS)
            inner = rest[0].text in _OPENING
            rest = rest[1:]
            if not inner:
                break
        at = 0
        while at < len(rest) and rest[at].text in _PREFIXES:
            at += 1
        while at < len(rest) and (match := _ASSIGNED.fullmatch(rest[at].text)):
            at = self._assign(rest, at, match)
        return self._all(rest)

    def _all(self, words: Sequence[Word]) -> list[Word]:
        """Words with their variables put in, as long as that does not make too many."""
        found: list[Word] = []
        for word in words:
            room = len(found) < len(words) + _MOST
            found += self._expanded(word) if room else [word]
        return found

    def _assign(self, words: Sequence[Word], at: int, match: re.Match[str]) -> int:
        """Take one assignment; returns the index after it."""
        name, more, value = match.groups()
        end = at + 1
        if value == "(":
            while end < len(words) and words[end].text != ")":
                end += 1
            items = self._all(words[at + 1 : end])
            end += 1
        else:
            items = list(self._expanded(replace(words[at], text=value)))
        before = self._values.get(name) if more else []
        told = before is not None and (value == "(" or "$" not in "".join(w.text for w in items))
        size = sum(len(word.text) for word in (*(before or ()), *items))
        if self._depth > 0 or not told or len(items) > _MOST or size > _LONGEST:
            self._values.pop(name, None)
        elif before and value != "(":
            joined = "".join(word.text for word in (*before, *items))
            self._values[name] = [replace(items[0], text=joined)]
        else:
            self._values[name] = [*(before or ()), *items][:_MOST]
        return end

    def _expanded(self, word: Word) -> Iterator[Word]:
        whole = _WHOLE.fullmatch(word.text)
        values = self._values.get(whole[1] or whole[2]) if whole else None
        if values is None:
            yield replace(word, text=self._inside(word.text)) if "$" in word.text else word
            return
        for value in values:
            # The shell splits what is not quoted; a value that begins with a flag is meant so.
            pieces = value.text.split() if value.text.startswith("-") else [value.text]
            yield from (replace(value, text=piece) for piece in pieces)

    def _inside(self, text: str) -> str:
        def value(match: re.Match[str]) -> str:
            values = self._values.get(match[1] or match[2])
            return match[0] if values is None or len(values) != 1 else values[0].text

        return _INSIDE.sub(value, text) if len(text) <= _LONGEST else text


def kubernetes(word: Word, known: Mapping[str, Word]) -> Word:
    """A word with the ``$(NAME)`` that Kubernetes itself puts in."""

    def value(match: re.Match[str]) -> str:
        found = known.get(match[1])
        return match[0] if found is None else found.text

    return replace(word, text=_KUBERNETES.sub(value, word.text)) if "$(" in word.text else word
