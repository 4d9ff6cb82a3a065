"""How to decode."""

from __future__ import annotations

from dataclasses import dataclass

DRAFT = 32
"""Tokens guessed ahead, unless said otherwise."""


@dataclass(frozen=True, slots=True)
class Decoding:
    """Settings of the decoding loop.

    ``temperature`` 0 is greedy. ``jump_forward`` commits text that the grammar forces
    without sampling it. ``draft`` is how many tokens are guessed ahead and verified in
    one forward pass (0: none); guesses never change what is chosen, only how fast.
    An output ends before the first of the texts in ``stop``.
    """

    max_new_tokens: int = 512
    temperature: float = 0.0
    top_p: float = 1.0
    seed: int = 0
    jump_forward: bool = True
    draft: int = DRAFT
    stop: tuple[str, ...] = ()
