"""Texts that a grammar accepts, found by walking it at random: it need not know the schema.

What a schema forbids and its grammar lets through is mostly near what the schema says, so
made candidates find it first. A walk finds what nobody thought of.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from structag_cli.engine.native import xgrammar
from structag_cli.engine.text import TextGrammar

_MOST_BYTES = 400
_CLOSING = frozenset(b'"}]')
_MARKS = frozenset(b',:{[0123456789tfn"')
_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyz")


def walks(grammar: TextGrammar, seed: int, most: int) -> Iterator[str | None]:
    """``most`` walks from the start; ``None`` for one that did not come to an end."""
    chance = random.Random(seed)
    walker = _Walker(grammar)
    for number in range(most):
        yield walker.walk(chance, 4.0 if number % 2 else 0.5)


class _Walker:
    def __init__(self, grammar: TextGrammar) -> None:
        self._matcher = grammar.matcher()
        self._stop = grammar.stop_id
        self._bitmask: Any = xgrammar().allocate_token_bitmask(1, grammar.stop_id + 1)
        self._words: Any = self._bitmask.numpy()[0].view("uint8")

    def walk(self, chance: random.Random, closing: float) -> str | None:
        """One text; closing marks weigh ``closing``, and more the longer it is."""
        self._matcher.reset()
        data = bytearray()
        while len(data) < _MOST_BYTES:
            forced = self._matcher.find_jump_forward_string().encode()
            if forced:
                data += forced
                self._matcher.accept_string(forced)
                continue
            allowed = self._allowed()
            may_stop = self._stop in allowed
            options = [byte for byte in allowed if byte < 256]
            if may_stop and (not options or chance.random() < 0.7):
                return data.decode("utf-8", "ignore")
            if not options:
                return None
            weights = [_weight(byte, closing + len(data) / 20) for byte in options]
            byte = chance.choices(options, weights)[0]
            data.append(byte)
            self._matcher.accept_token(byte)
        return None

    def _allowed(self) -> list[int]:
        if not self._matcher.fill_next_token_bitmask(self._bitmask):
            return list(range(self._stop + 1))
        return [
            index * 8 + bit
            for index, word in enumerate(self._words.tolist())
            if word
            for bit in range(8)
            if word >> bit & 1 and index * 8 + bit <= self._stop
        ]


def _weight(byte: int, closing: float) -> float:
    if byte in _CLOSING:
        return closing
    if byte in _MARKS:
        return 2.0
    return 0.3 if byte in _LETTERS else 0.01
