"""How a vocabulary can spell a string: the tokens that fit, and where.

All positions are byte offsets in the string, encoded as UTF-8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


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


def fits(pieces: Sequence[bytes], target: bytes) -> Fits:
    """Find the tokens that have to do with a string.

    Args:
        pieces: bytes by id.
        target: the string; not empty.
    """
    size = len(target)
    prefixes = tuple(target[:k] for k in range(1, size))
    suffixes = tuple(target[k:] for k in range(1, size))
    inside = [(i, p) for i, p in enumerate(pieces) if p and p in target]
    starting = [(i, p) for i, p in enumerate(pieces) if p.endswith(prefixes)]
    ending = [(i, p) for i, p in enumerate(pieces) if p.startswith(suffixes)]
    holding = [(i, p) for i, p in enumerate(pieces) if target in p and p != target]
    return Fits(
        target,
        _inside(inside, target),
        {k: [i for i, p in starting if len(p) > k and p.endswith(target[:k])] for k in _cuts(size)},
        {
            k: [i for i, p in ending if len(p) > size - k and p.startswith(target[k:])]
            for k in _cuts(size)
        },
        {i: _occurrences(p, target) for i, p in holding},
    )


def _cuts(size: int) -> range:
    return range(1, size)


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
