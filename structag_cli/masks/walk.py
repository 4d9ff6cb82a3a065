"""A saved output, walked token by token."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structag_cli.masks.mask import Words
from structag_cli.masks.step import Query, Stepper


@dataclass(frozen=True, slots=True)
class Row:
    """One token of the output.

    ``count`` is how many tokens were allowed in its place, ``forced`` whether it was the
    only one. A refused row carries ``why`` and what was expected; rows after it were not
    judged (``allowed`` is ``None``).
    """

    position: int
    id: int
    text: str
    allowed: bool | None
    count: int
    forced: bool
    refusal: Query | None = None


@dataclass(frozen=True, slots=True)
class Walk:
    """A walked output.

    ``complete``: after the last token the output may end, or has ended. ``expects`` says
    what would have to follow otherwise. ``words`` are the packed masks, one row a judged
    token and one for what may follow, shape ``(steps, ceil(vocab_size / 32))``.
    """

    rows: tuple[Row, ...]
    complete: bool
    ended: bool
    expects: str
    words: NDArray[np.int32] | None = None

    @property
    def refused(self) -> Row | None:
        """The first refused token."""
        return next((row for row in self.rows if row.allowed is False), None)


def walk(stepper: Stepper, ids: Sequence[int], *, keep_masks: bool = False) -> Walk:
    """Walk an output up to its first refused token.

    Args:
        stepper: the tag on the tokenizer.
        ids: the output.
        keep_masks: keep the packed mask of every step.

    Raises:
        UsageError: an id is out of range.
    """
    stepper.check_ids(ids)
    masks: list[Words] = []
    rows = list(_rows(stepper, ids, masks if keep_masks else None))
    judged = [row for row in rows if row.allowed]
    walker = stepper.grammar.walker()
    walker.accept_all([row.id for row in judged])
    ended = walker.ended
    after = stepper.mask(walker)
    whole = len(judged) == len(ids)
    if keep_masks and whole:
        masks.append(after.words)
    stops = [index for index in stepper.compiler.stop_ids if index in after]
    step = stepper.at([row.id for row in judged])
    return Walk(
        rows=tuple(rows),
        complete=whole and (ended or bool(stops)),
        ended=ended,
        expects=step.words,
        words=np.stack(masks) if masks else None,
    )


def _rows(stepper: Stepper, ids: Sequence[int], masks: list[Words] | None) -> Iterator[Row]:
    walker = stepper.grammar.walker()
    refused = False
    for position, index in enumerate(ids):
        text = stepper.text([index])
        if refused:
            yield Row(position, index, text, None, 0, False)
            continue
        words = walker.words()
        count = popcount(words, stepper.tokenizer.size)
        if masks is not None:
            masks.append(words.copy())
        if walker.accept(index):
            yield Row(position, index, text, True, count, count == 1)
            continue
        refused = True
        before = stepper.text(ids[:position])
        query = stepper.query(walker, stepper.mask(walker), before, index)
        yield Row(position, index, text, False, count, count == 1, query)


_BITS = np.array([bin(value).count("1") for value in range(1 << 16)], dtype=np.uint8)


def popcount(words: Words, size: int) -> int:
    """How many of the first ``size`` bits are set. Twenty times as fast as unpacking."""
    whole = size // 32
    total = int(_BITS[words[:whole].view(np.uint16)].sum(dtype=np.int64))
    rest = size % 32
    if rest:
        total += bin(int(words[whole]) & ((1 << rest) - 1)).count("1")
    return total
