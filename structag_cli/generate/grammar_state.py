"""One output's place in its grammar: masks, forced text, and trial runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from structag_cli.engine.native import xgrammar
from structag_cli.engine.tokens import fill_mask
from structag_cli.watch import native_code


class GrammarState:
    """A matcher with the questions that the loop asks of it.

    ``compiled`` ``None`` stands for no grammar: everything is allowed.
    """

    def __init__(self, compiled: Any | None, vocab_size: int, stop_ids: Sequence[int]) -> None:
        self.vocab_size = vocab_size
        self.stop_ids = frozenset(stop_ids)
        self.matcher = None
        if compiled is not None:
            self.matcher = xgrammar().GrammarMatcher(compiled)
        self.finished = False

    @property
    def constrained(self) -> bool:
        """Whether there is a grammar."""
        return self.matcher is not None

    def accept(self, token: int) -> bool:
        """Advance by one token; false, and no change, where the grammar refuses it."""
        if self.matcher is None:
            self.finished = token in self.stop_ids
            return True
        with native_code():
            taken = self.matcher.accept_token(token)
        if not taken:
            return False
        self.finished = self.matcher.is_terminated()
        return True

    def rollback(self, count: int) -> None:
        """Take back the last tokens."""
        if self.matcher is not None and count:
            self.matcher.rollback(count)
        if count:
            self.finished = False

    def fill(self, bitmask: Any, row: int) -> bool:
        """Write the mask of the next token (int32 words, xgrammar's layout) into a row.

        Returns:
            Whether the mask forbids anything.
        """
        if self.matcher is None or self.finished:
            bitmask[row].fill_(-1)
            return False
        return fill_mask(self.matcher, bitmask, row)

    def fork(self) -> GrammarState:
        """An independent copy, to try things on."""
        copy = GrammarState(None, self.vocab_size, tuple(self.stop_ids))
        copy.matcher = None if self.matcher is None else self.matcher.fork()
        copy.finished = self.finished
        return copy

    def accept_text(self, text: str) -> bool:
        """Advance by a text; false, and no change, where the grammar refuses it."""
        return self.matcher is not None and bool(self.matcher.accept_string(text))

    def would_accept(self, text: str) -> bool:
        """Whether a text could come next."""
        return self.fork().accept_text(text)

    def closes(self, closer: str, probe: str) -> bool:
        """Advance by ``closer`` if it ends free text, that is if ``probe`` is then refused."""
        trial = self.fork()
        if not trial.accept_text(closer) or trial.accept_text(probe):
            return False
        return self.accept_text(closer)

    def forced_text(self) -> str:
        """The text that the grammar forces next, ``""`` where there is a choice."""
        if self.matcher is None or self.finished:
            return ""
        return str(self.matcher.find_jump_forward_string())


def allowed_ids(words: Any, vocab_size: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The token ids that one mask row (int32 words) allows."""
    bits = np.unpackbits(np.asarray(words).view(np.uint8), bitorder="little")
    return np.flatnonzero(bits[:vocab_size])
