"""Does the mask say what the matcher does? Every token of a step, tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from structag_cli.masks.step import Stepper

_KEPT = 100


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """Ids where the mask and the matcher differ; at most ``_KEPT`` are kept of each kind."""

    position: int
    tried: int
    allowed_but_refused: tuple[int, ...]
    banned_but_accepted: tuple[int, ...]

    @property
    def holds(self) -> bool:
        """Mask and matcher agree on every token."""
        return not self.allowed_but_refused and not self.banned_but_accepted


def self_check(stepper: Stepper, ids: Sequence[int]) -> SelfCheck:
    """Try every id after a prefix and compare with its bit in the mask.

    The prefix must be one that the grammar takes.
    """
    walker = stepper.grammar.walker()
    walker.accept_all(ids)
    bits = stepper.mask(walker).bits.tolist()
    refused: list[int] = []
    accepted: list[int] = []
    for index, bit in enumerate(bits):
        taken = walker.accept(index)
        if taken:
            walker.back(1)
        if taken != bit:
            (refused if bit else accepted).append(index)
    return SelfCheck(len(ids), len(bits), tuple(refused[:_KEPT]), tuple(accepted[:_KEPT]))
