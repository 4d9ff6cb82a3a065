"""Jump-forward: tokens for text that the grammar forces, right at both seams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from structag_cli.generate.drafts import Tokens

_CONTEXT = 8
"""How many earlier tokens are tokenized again to see the forced text in context."""


def sure_tokens(tokens: Tokens, before: Sequence[int], text: str) -> list[int]:
    """The tokens of forced text that no continuation can change.

    The last one is left out: what follows may merge with it (``{"`` and ``{"city``), so
    the model chooses there, as it would without jump-forward.

    Args:
        tokens: the tokenizer.
        before: the output's tokens so far.
        text: what the grammar forces, not empty.
    """
    return in_context(tokens, before, text)[:-1]


def in_context(tokens: Tokens, before: Sequence[int], text: str) -> list[int]:
    """The tokens of ``text`` as the tokenizer writes it after ``before``.

    Where the tokenizer would merge across the seam, ``before`` stands as it was chosen
    and the text is tokenized on its own.
    """
    tail = list(before[-_CONTEXT:])
    try:
        left = b"".join(map(tokens.piece, tail)).decode()
    except UnicodeDecodeError:
        return tokens.encode(text)
    whole = tokens.encode(left + text)
    return whole[len(tail) :] if whole[: len(tail)] == tail else tokens.encode(text)
