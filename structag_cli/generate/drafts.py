"""Guesses of what comes next, to be verified in one forward pass.

A guess is text: what the grammar forces, what it nearly forces (canonical white space,
separators, the next property), and values that the user's message suggests (names,
numbers, quotes, one of an enum's members), and how the output went on when it said the same
before. It is tokenized as a whole and kept as far as the model, under the mask, chooses just
that. Guesses never change the output.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from structag_cli.generate.forced import in_context
from structag_cli.generate.grammar_state import GrammarState

_PROBE = "zqx"
"""Text that is accepted inside free strings and nowhere else."""

_STRUCTURE = (': "', ": ", ', "', '"', "}", "]", '{"', '["', "true", "null")
"""JSON's canonical continuations, in the order in which they are tried."""

_WORD = r"[^\s.,?!;:\"'<>()]+"
_QUOTED = re.compile(r"[\"'“‘]([^\"'”’\n]{1,80})[\"'”’]")
_CAPITALIZED = r"[A-Z][^\s.,?!;:\"'<>()]*"
_NAME = re.compile(rf"(?<![.?!\n] )(?<!^)\b{_CAPITALIZED}(?: {_CAPITALIZED})*")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_REST = re.compile(r"[^\s.,?!;:\"'<>()]*(?: [A-Z0-9][^\s.,?!;:\"'<>()]*)*")
_WORDS = re.compile(_WORD)
_IN_VALUE = re.compile(r'[^"<\n]*')
_ALIKE = 10
_ECHO = 60
"""So many characters must have stood before; so many are taken from there."""


class Tokens(Protocol):
    """What drafting needs of a tokenizer."""

    def encode(self, text: str) -> list[int]:
        """The token ids of a text, no special tokens added."""

    def piece(self, token: int) -> bytes:
        """The bytes of a token."""


@dataclass(frozen=True, slots=True)
class Clues:
    """What guesses are made from.

    ``message``: the user's last message. ``names``: tool names, likeliest first.
    ``closers``: texts that end a free value in this format (``"``, ``</parameter>``).
    """

    message: str = ""
    names: tuple[str, ...] = ()
    closers: tuple[str, ...] = ('"',)


def likely_names(names: Sequence[str], message: str) -> tuple[str, ...]:
    """Tool names, those that share most words with the message first."""
    said = {word.lower() for word in re.findall(r"\w+", message)}

    def shared(name: str) -> int:
        return len(said & {part.lower() for part in re.split(r"[_\W]+|(?<=[a-z])(?=[A-Z])", name)})

    return tuple(sorted(names, key=shared, reverse=True))


@dataclass(frozen=True, slots=True)
class Guess:
    """Text that may come next, and what kind of guess its first part is.

    Kinds: ``forced`` by the grammar, ``structure``, ``digit`` (the end of a number),
    ``value`` (from the message), ``echo`` (from the output), ``end`` (of a free value that
    nothing is known about).
    """

    text: str
    kind: str


class Drafter:
    """Guesses for one output.

    Args:
        tokens: the tokenizer.
        clues: what to guess from.
    """

    def __init__(self, tokens: Tokens, clues: Clues) -> None:
        self._tokens = tokens
        self._clues = clues
        message = clues.message
        values = [m.group(1) for m in _QUOTED.finditer(message)]
        values += [m.group() for m in _NAME.finditer(message)]
        self._values = values
        self._numbers = _NUMBER.findall(message)
        self._choices = [*clues.names, *_WORDS.findall(message)]

    def guess(self, state: GrammarState, room: int, before: Sequence[int]) -> Guess | None:
        """About ``room`` characters, ``None`` where nothing suggests itself.

        Args:
            state: where the output stands; unchanged on return.
            room: how many characters are wanted.
            before: the output's tokens so far.
        """
        if not state.constrained or state.finished:
            return None
        written = b"".join(map(self._tokens.piece, before)).decode("utf-8", "replace")
        return self._text(state, written, room)

    def tokens_of(
        self, guess: Guess, state: GrammarState, limit: int, before: Sequence[int]
    ) -> list[int]:
        """The guess as up to ``limit`` tokens that the grammar takes."""
        return self._acceptable(state, in_context(self._tokens, before, guess.text), limit)

    def _acceptable(self, state: GrammarState, tokens: Sequence[int], limit: int) -> list[int]:
        taken: list[int] = []
        for token in tokens[:limit]:
            if state.finished or token in state.stop_ids or not state.accept(token):
                break
            taken.append(token)
        state.rollback(len(taken))
        return taken

    def _text(self, state: GrammarState, written: str, room: int) -> Guess | None:
        trial = state.fork()
        first, text = "", ""
        while len(text) < room:
            piece = trial.forced_text()
            if piece:
                trial.accept_text(piece)
                found = Guess(piece, "forced")
            else:
                found = self._choose(trial, written + text)
            if not found.text:
                break
            first = first or found.kind
            text += found.text
        return Guess(text, first) if text else None

    def _choose(self, trial: GrammarState, written: str) -> Guess:
        """The likeliest text where there is a choice, already taken by ``trial``."""
        if trial.would_accept(_PROBE):
            return self._value(trial, written)
        kind = "digit" if written[-1:].isdigit() else "structure"
        for piece in self._structural(written):
            if trial.accept_text(piece):
                return Guess(piece, kind)
        return Guess("", kind)

    def _structural(self, written: str) -> Iterator[str]:
        if written.endswith((": ", ">", "[")):
            yield from self._unused(self._numbers, written)
        if written.endswith((":", ",")):
            yield ' "'
            yield " "
        yield from (piece for piece in _STRUCTURE if not written.endswith(piece))
        yield from self._unused(self._choices, written)

    def _unused(self, pieces: Sequence[str], written: str) -> Iterator[str]:
        """Pieces that the output has not used come first."""
        yield from (piece for piece in pieces if piece not in written)
        yield from (piece for piece in pieces if piece in written)

    def _value(self, trial: GrammarState, written: str) -> Guess:
        """A free value and its end, or the rest of one that was begun."""
        opened = max(written.rfind('"'), written.rfind(">"))
        begun = written[opened + 1 :].lstrip("\n")
        content = self._continued(begun) if begun else next(self._unused(self._values, written), "")
        if content and not trial.accept_text(content):
            content = ""
        if not (content or begun):
            return Guess("", "value")
        again = "" if content else _echo(written)
        if again and trial.accept_text(again):
            return Guess(again, "echo")
        kind = "value" if content else "end"
        for closer in self._clues.closers:
            if trial.closes(closer, _PROBE):
                return Guess(content + closer, kind)
        return Guess(content, kind)

    def _continued(self, begun: str) -> str:
        """How the message goes on after what was begun, to the end of a word or name."""
        at = self._clues.message.find(begun)
        if at < 0:
            return ""
        rest = _REST.match(self._clues.message, at + len(begun))
        return rest.group() if rest else ""


def _echo(written: str) -> str:
    """How free text went on where its last characters stood before, to its end."""
    last = written[-_ALIKE:]
    at = written.rfind(last, 0, -1) if len(last) == _ALIKE else -1
    if at < 0:
        return ""
    after = written[at + _ALIKE :]
    # What repeats itself does so with the period after which it was found.
    rest = (after * (_ECHO // len(after) + 1))[:_ECHO]
    return _IN_VALUE.match(rest)[0]  # type: ignore[index]
