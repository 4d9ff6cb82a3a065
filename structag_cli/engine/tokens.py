"""A tag over a real vocabulary: which tokens may come next, and whether one is accepted."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structag_cli.engine.native import captured_warnings, clean_message, xgrammar
from structag_cli.errors import EngineError
from structag_cli.watch import native_code

Words = NDArray[np.int32]
"""xgrammar's bitmask: bit ``i % 32`` of word ``i // 32`` is set when id ``i`` is allowed."""


class TokenCompiler:
    """Compiles tags over one vocabulary.

    Args:
        pieces: bytes by id, empty for ids that spell nothing (padding, holes).
        stop_ids: ids that end an output; empty lets xgrammar guess by the pieces.
    """

    def __init__(self, pieces: Sequence[bytes], stop_ids: Sequence[int]) -> None:
        xgr = xgrammar()
        self.size = len(pieces)
        with captured_warnings([]):
            self._info = xgr.TokenizerInfo(
                pieces, vocab_type=xgr.VocabType.RAW, stop_token_ids=list(stop_ids) or None
            )
        self.stop_ids: list[int] = list(self._info.stop_token_ids)
        self._compiler = xgr.GrammarCompiler(self._info, max_threads=2, cache_enabled=False)

    def compile(self, tag: Mapping[str, Any]) -> TokenGrammar:
        """Compile a structural tag.

        Raises:
            EngineError: xgrammar refuses it.
        """
        warnings: list[str] = []
        text = json.dumps(tag)
        start = time.perf_counter()
        with captured_warnings(warnings), native_code():
            try:
                compiled = self._compiler.compile_structural_tag(text)
            except Exception as err:
                raise EngineError(
                    f"xgrammar refuses the tag: {clean_message(str(err))}",
                    mend="`structag build` prints the tag",
                ) from None
        seconds = time.perf_counter() - start
        return TokenGrammar(compiled, self.size, tuple(warnings), seconds, frozenset(self.stop_ids))


@dataclass(frozen=True, slots=True)
class TokenGrammar:
    """A compiled tag. ``seconds`` is how long compiling took."""

    compiled: Any
    size: int
    warnings: tuple[str, ...]
    seconds: float
    stops: frozenset[int]

    def walker(self) -> Walker:
        """A walk from the start."""
        return Walker(self)


def fill_mask(matcher: Any, bitmask: Any, row: int) -> bool:
    """Write the mask of a matcher's next token into a row of a bitmask.

    Returns:
        Whether the mask forbids anything.
    """
    with native_code():
        limited = bool(matcher.fill_next_token_bitmask(bitmask, row))
    if not limited:
        # xgrammar's word for "everything": it may then leave the bits as they were.
        bitmask[row].fill_(-1)
    return limited


class Walker:
    """One output, token by token. Wraps an xgrammar matcher and one bitmask."""

    def __init__(self, grammar: TokenGrammar) -> None:
        xgr = xgrammar()
        self.size = grammar.size
        self._matcher = xgr.GrammarMatcher(grammar.compiled)
        self._bitmask = xgr.allocate_token_bitmask(1, grammar.size)
        self._words: Words = self._bitmask.numpy()[0]
        self._stops = grammar.stops
        self.ended = False
        """A stop token was accepted: nothing can follow."""

    def words(self) -> Words:
        """The bitmask of the next token, valid until the next call.

        Once the output has ended nothing is allowed.
        """
        if self.ended:
            self._words.fill(0)
        else:
            fill_mask(self._matcher, self._bitmask, 0)
        return self._words

    def accept(self, index: int) -> bool:
        """Take one token; false, and no change, when it is refused."""
        if not 0 <= index < self.size or self.ended:
            return False
        with native_code():
            taken = bool(self._matcher.accept_token(index))
        if taken and index in self._stops:
            self.ended = bool(self._matcher.is_terminated())
        return taken

    def accept_all(self, ids: Sequence[int]) -> int:
        """Take tokens up to the first refused one; how many were taken."""
        for count, index in enumerate(ids):
            if not self.accept(index):
                return count
        return len(ids)

    def back(self, count: int) -> None:
        """Take back the last ``count`` tokens."""
        if count:
            self._matcher.rollback(count)
            self.ended = False

    def accept_text(self, data: bytes) -> bool:
        """Take bytes, whatever tokens they come in; false, and no change, when refused.

        Grammars that speak of tokens (``exclude_tokens``) refuse all bytes.
        """
        with native_code():
            return not self.ended and bool(self._matcher.accept_string(data))

    def forced_text(self) -> str:
        """The text that must come next, whatever the model wants; may be empty."""
        return "" if self.ended else str(self._matcher.find_jump_forward_string())
