"""A saved output, walked token by token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structag_cli.engine.tokens import Walker
from structag_cli.masks.mask import Words
from structag_cli.masks.place_in_tag import place_in_tag
from structag_cli.masks.step import Query, Stepper, check_ids


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
    what would have to follow otherwise. ``words`` are the packed masks, one row an accepted
    token and one for what may follow them, shape ``(steps, ceil(vocab_size / 32))``.
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
    check_ids(stepper.tokenizer, ids)
    walker = stepper.grammar.walker()
    masks: list[Words] = []
    rows = _accepted(stepper, walker, ids, masks if keep_masks else None)
    whole = len(rows) == len(ids)
    if not whole:
        rows += _from_refusal(stepper, walker, ids, len(rows))
    after = stepper.mask(walker)
    if keep_masks:
        masks.append(after.words)
    stops = [index for index in stepper.compiler.stop_ids if index in after]
    taken = [row.id for row in rows if row.allowed]
    place = place_in_tag(stepper.tag, stepper.text(taken))
    return Walk(
        rows=tuple(rows),
        complete=whole and (walker.ended or bool(stops)),
        ended=walker.ended,
        expects=stepper.words(after, walker.forced_text(), stops, place, walker.ended),
        words=np.stack(masks) if masks else None,
    )


def _accepted(
    stepper: Stepper, walker: Walker, ids: Sequence[int], masks: list[Words] | None
) -> list[Row]:
    """The rows up to the first refusal. This is the hot loop: a mask and a token a turn."""
    rows: list[Row] = []
    size, pieces = stepper.tokenizer.size, stepper.pieces
    for position, index in enumerate(ids):
        words = walker.words()
        if masks is not None:
            masks.append(words.copy())
        if not walker.accept(index):
            if masks is not None:
                masks.pop()
            break
        count = popcount(words, size)
        text = pieces[index].decode("utf-8", "backslashreplace")
        rows.append(Row(position, index, text, True, count, count == 1))
    return rows


def _from_refusal(stepper: Stepper, walker: Walker, ids: Sequence[int], first: int) -> list[Row]:
    """The refused row, with its reason, and those after it."""
    mask = stepper.mask(walker)
    index = ids[first]
    query = stepper.query(walker, mask, stepper.text(ids[:first]), index)
    forced = mask.allowed == 1
    rows = [Row(first, index, stepper.text([index]), False, mask.allowed, forced, query)]
    for position in range(first + 1, len(ids)):
        later = ids[position]
        rows.append(Row(position, later, stepper.text([later]), None, 0, False))
    return rows


_BITS = np.array([bin(value).count("1") for value in range(1 << 8)], dtype=np.uint8)


def popcount(words: Words, size: int) -> int:
    """How many of the first ``size`` bits are set."""
    whole = size // 64 * 2
    total = _ones(words[:whole])
    for number in range(whole, (size + 31) // 32):
        keep = min(size - number * 32, 32)
        total += bin(int(words[number]) & ((1 << keep) - 1)).count("1")
    return total


def _ones(words: Words) -> int:
    """Set bits of an even number of words. numpy 2 counts them; numpy 1 looks them up."""
    if hasattr(np, "bitwise_count"):
        return int(np.bitwise_count(words.view(np.uint64)).sum())
    return int(_BITS[words.view(np.uint8)].sum(dtype=np.int64))
