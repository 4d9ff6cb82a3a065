"""How a vocabulary can spell a string: the tokens that fit, and where.

All positions are byte offsets in the string, encoded as UTF-8.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Fits:
    """The tokens of a vocabulary that have to do with one string.

    Attributes:
        target: the string in bytes.
        inside: by position, the ids whose whole piece stands there: ``(id, bytes)``.
        starts: by position ``k``, ids of longer pieces that end with the first ``k``
            bytes of the string, so that it can begin in the middle of a token.
        ends: by position ``k``, ids of longer pieces that start with what follows ``k``.
        containing: ids of longer pieces that hold the whole string, and how often.
    """

    target: bytes
    inside: dict[int, list[tuple[int, int]]]
    starts: dict[int, list[int]]
    ends: dict[int, list[int]]
    containing: dict[int, int]

    @property
    def whole(self) -> list[int]:
        """Ids whose piece is the string and nothing else."""
        size = len(self.target)
        return [index for index, length in self.inside.get(0, []) if length == size]


class PieceIndex:
    """A vocabulary by the first and last bytes of its pieces: finds tokens without
    looking at each.

    Args:
        pieces: bytes by id.
        silent: ids that write nothing, whatever their piece: stop tokens.
    """

    def __init__(self, pieces: Sequence[bytes], silent: Collection[int] = ()) -> None:
        pieces = list(pieces)
        for index in silent:
            pieces[index] = b""
        self.pieces = pieces
        self._known: dict[bytes, Fits] = {}
        self._blob = b"".join(pieces)
        lengths = np.fromiter(map(len, pieces), dtype=np.int64, count=len(pieces))
        self._ends = np.cumsum(lengths)
        self._starts = self._ends - lengths
        self._lengths = lengths
        data = np.frombuffer(self._blob, dtype=np.uint8)
        self._real = np.flatnonzero(lengths)
        self._first = data[self._starts[self._real]]
        self._last = data[self._ends[self._real] - 1]

    def fits(self, target: bytes) -> Fits:
        """Find the tokens that have to do with a string, which is not empty."""
        if target not in self._known:
            self._known[target] = self._fits(target)
        return self._known[target]

    def _fits(self, target: bytes) -> Fits:
        size = len(target)
        cuts = range(1, size)
        prefixes = tuple(target[:k] for k in cuts)
        suffixes = tuple(target[k:] for k in cuts)
        first = self._candidates(self._first, target)
        inside = [(i, p) for i, p in first if p in target]
        ending = [(i, p) for i, p in first if p.startswith(suffixes)] if suffixes else []
        last = self._candidates(self._last, target)
        starting = [(i, p) for i, p in last if p.endswith(prefixes)] if prefixes else []
        starts = {k: [i for i, p in starting if _ends_beyond(p, target[:k])] for k in cuts}
        ends = {k: [i for i, p in ending if _starts_beyond(p, target[k:])] for k in cuts}
        return Fits(target, _inside(inside, target), starts, ends, self._containing(target))

    def _candidates(self, ends: NDArray[np.uint8], target: bytes) -> list[tuple[int, bytes]]:
        """Tokens whose first (or last) byte is one of the string's."""
        wanted = np.zeros(256, dtype=np.bool_)
        wanted[list(target)] = True
        return [(int(i), self.pieces[i]) for i in self._real[wanted[ends]]]

    def _containing(self, target: bytes) -> dict[int, int]:
        """Ids of longer pieces that hold the string: found in all pieces written in a row."""
        found: dict[int, int] = {}
        at = self._blob.find(target)
        while at >= 0:
            index = int(np.searchsorted(self._ends, at, side="right"))
            if at + len(target) <= self._ends[index] and self._lengths[index] > len(target):
                found[index] = _occurrences(self.pieces[index], target)
            at = self._blob.find(target, at + 1)
        return found


def _ends_beyond(piece: bytes, head: bytes) -> bool:
    return len(piece) > len(head) and piece.endswith(head)


def _starts_beyond(piece: bytes, tail: bytes) -> bool:
    return len(piece) > len(tail) and piece.startswith(tail)


def _inside(found: list[tuple[int, bytes]], target: bytes) -> dict[int, list[tuple[int, int]]]:
    places: dict[int, list[tuple[int, int]]] = {}
    for index, piece in found:
        at = target.find(piece)
        while at >= 0:
            places.setdefault(at, []).append((index, len(piece)))
            at = target.find(piece, at + 1)
    return places


def _occurrences(piece: bytes, target: bytes) -> int:
    count, at = 0, piece.find(target)
    while at >= 0:
        count, at = count + 1, piece.find(target, at + 1)
    return count
