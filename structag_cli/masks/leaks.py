"""Does a grammar still let a banned string through? Counted exactly, with a witness.

A *spelling* is a sequence of tokens whose bytes are the string and nothing else. A
*cover* is a shortest sequence of tokens whose bytes hold the string: its first byte lies
in the first token, its last byte in the last one, and either token may reach beyond it
(`` <`` or ``>\\n``). Every spelling is a cover; an output holds the string if and only if
some run of its tokens is a cover.

Both are counted over the byte positions of the string. At each position the mask is
taken from xgrammar's matcher, after the shortest allowed way to get there; the counts
are exact as long as the mask depends on the bytes that were written and not on how they
were cut into tokens. That holds for both ban tags (a token ban's mask never changes,
``any_text`` reads bytes), and ``stateless`` says whether it was seen to hold here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from structag_cli.engine.tokens import TokenGrammar
from structag_cli.masks.mask import Mask
from structag_cli.masks.spelling import Fits


@dataclass(frozen=True, slots=True)
class Leak:
    """What a grammar does with one string.

    Attributes:
        spellings: token sequences that spell the string exactly and are accepted.
        covers: accepted sequences that hold it, tokens at its edges included.
        witness: ids of one accepted spelling, the shortest; else of one cover; else empty.
        accepted: the matcher took the witness, token by token.
        stops_at: the furthest byte position that a spelling reaches.
        containing: allowed ids that hold the string within one longer token.
        stateless: masks after two ways of writing the same bytes were the same.
    """

    spellings: int
    covers: int
    witness: tuple[int, ...]
    accepted: bool
    stops_at: int
    containing: tuple[int, ...]
    stateless: bool

    @property
    def leaks(self) -> bool:
        """Whether the string can be emitted."""
        return self.covers > 0


def find_leak(grammar: TokenGrammar, found: Fits, pieces: Sequence[bytes]) -> Leak:
    """Count the spellings and covers that a grammar accepts from its start.

    Args:
        grammar: a compiled tag.
        found: the tokens that have to do with the string.
        pieces: bytes by id.
    """
    count = _Count(grammar, found)
    count.run()
    witness = count.witness()
    walker = grammar.walker()
    accepted = bool(witness) and walker.accept_all(witness) == len(witness)
    spelled = b"".join(pieces[index] for index in witness)
    return Leak(
        spellings=count.spellings,
        covers=count.covers,
        witness=witness,
        accepted=accepted and found.target in spelled,
        stops_at=max(count.paths),
        containing=tuple(i for i in found.containing if i in count.start),
        stateless=count.stateless,
    )


class _Count:
    """Dynamic programming over the byte positions, from left to right."""

    def __init__(self, grammar: TokenGrammar, found: Fits) -> None:
        self.grammar = grammar
        self.found = found
        self.size = len(found.target)
        self.paths: dict[int, tuple[int, ...]] = {0: ()}
        self.exact = {0: 1}
        self.reach: dict[int, int] = {}
        self.edge_paths: dict[int, tuple[int, ...]] = {}
        self.endings: list[tuple[int, ...]] = []
        self.stateless = True
        self.covers = 0
        self.start = self._mask(())

    @property
    def spellings(self) -> int:
        return self.exact.get(self.size, 0)

    def run(self) -> None:
        self.reach[0] = 1
        for position, ids in self.found.starts.items():
            allowed = [index for index in ids if index in self.start]
            if allowed:
                self.reach[position] = self.reach.get(position, 0) + len(allowed)
                self.edge_paths[position] = (allowed[0],)
        for position in range(self.size):
            if position in self.paths or position in self.edge_paths:
                self._step(position)
        self.covers += self.reach.get(self.size, 0)
        for index, times in self.found.containing.items():
            if index in self.start:
                self.covers += times
                self.endings.append((index,))

    def _step(self, position: int) -> None:
        mask = self._mask_at(position)
        exact, reach = self.exact.get(position, 0), self.reach.get(position, 0)
        for index, length in self.found.inside.get(position, []):
            if index not in mask:
                continue
            after = position + length
            self.exact[after] = self.exact.get(after, 0) + exact
            self.reach[after] = self.reach.get(after, 0) + reach
            self._extend(self.paths, position, after, index)
            self._extend(self.edge_paths, position, after, index)
        ends = [index for index in self.found.ends.get(position, []) if index in mask]
        if position and ends:
            self.covers += reach * len(ends)
            path = self.paths.get(position) or self.edge_paths[position]
            self.endings.append((*path, ends[0]))

    def _extend(
        self, paths: dict[int, tuple[int, ...]], position: int, after: int, index: int
    ) -> None:
        """Keep the way with the fewest tokens, and of those the one with the lowest ids."""
        if position not in paths:
            return
        path = (*paths[position], index)
        known = paths.get(after)
        if known is None or (len(path), sum(path)) < (len(known), sum(known)):
            paths[after] = path

    def _mask_at(self, position: int) -> Mask:
        ways = [p[position] for p in (self.paths, self.edge_paths) if position in p]
        masks = [self._mask(way) for way in ways]
        if len(masks) == 2 and not np.array_equal(masks[0].words, masks[1].words):
            self.stateless = False
        return masks[0]

    def _mask(self, path: tuple[int, ...]) -> Mask:
        walker = self.grammar.walker()
        walker.accept_all(path)
        return Mask(walker.words().copy(), self.grammar.size)

    def witness(self) -> tuple[int, ...]:
        if self.size in self.paths:
            return self.paths[self.size]
        ways = [*self.endings]
        if self.size in self.edge_paths:
            ways.append(self.edge_paths[self.size])
        return min(ways, key=lambda way: (len(way), sum(way)), default=())
