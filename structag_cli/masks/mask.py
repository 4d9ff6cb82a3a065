"""One mask as a value."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.int32]


@dataclass(frozen=True)
class Mask:
    """Which ids may come next.

    ``words`` is packed as xgrammar packs it: bit ``i % 32`` of word ``i // 32`` stands
    for id ``i``. ``size`` is the number of ids; ``padding`` of them, the last ones, are
    no tokens at all.
    """

    words: Words
    size: int
    padding: int = 0

    @cached_property
    def bits(self) -> NDArray[np.bool_]:
        """One boolean an id, shape ``(size,)``."""
        packed = np.ascontiguousarray(self.words).view(np.uint8)
        return np.unpackbits(packed, bitorder="little", count=self.size).view(np.bool_)

    def __contains__(self, index: object) -> bool:
        if not isinstance(index, int | np.integer) or not 0 <= index < self.size:
            return False
        return bool(self.words[index >> 5] >> (index & 31) & 1)

    @cached_property
    def allowed(self) -> int:
        """How many ids are allowed."""
        return int(np.count_nonzero(self.bits))

    @property
    def banned(self) -> int:
        """How many tokens are not; padding is not counted."""
        return len(self.banned_ids())

    def allowed_ids(self) -> list[int]:
        """The allowed ids, ascending."""
        return list(map(int, np.flatnonzero(self.bits)))

    def banned_ids(self) -> list[int]:
        """The ids of tokens that are not allowed, ascending; padding is not among them."""
        return list(map(int, np.flatnonzero(~self.bits[: self.size - self.padding])))

    def padding_allowed(self) -> list[int]:
        """Padding ids that the mask lets through: there should be none."""
        first = self.size - self.padding
        return [first + int(i) for i in np.flatnonzero(self.bits[first:])]
