"""The decoding loop: forced text is not sampled, guesses are verified in one pass.

Each step runs the model once over the tokens that it has not seen (chosen or forced)
and a few guessed ones, and then chooses at every position in turn, under the grammar's
mask, until a guess is not what is chosen. The masks along the guesses are computed on
the CPU after the pass has been launched, so on a GPU they cost no time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from structag_cli.engine.native import xgrammar
from structag_cli.generate.batch import Batch
from structag_cli.generate.drafts import Drafter, Tokens
from structag_cli.generate.forced import sure_tokens
from structag_cli.generate.grammar_state import GrammarState, allowed_ids
from structag_cli.generate.patience import Patience
from structag_cli.generate.sampling import Sampler
from structag_cli.generate.settings import Decoding
from structag_cli.generate.stop_texts import StopTexts

Kind = Literal["forced", "constrained", "free"]
"""How a token came about: no choice left, a choice under a mask, nearly any allowed."""

FinishReason = Literal["stop", "length"]

_CHARACTERS = 3
"""Of a token, about."""

FREE_SHARE = 0.9
"""Share of the vocabulary that must be allowed for a token to count as free."""


@dataclass(slots=True)
class Timing:
    """Seconds spent by part, forward passes, guessed and kept tokens.

    ``told_apart``: the parts are known, not the total alone.
    """

    told_apart: bool = True
    prefill: float = 0.0
    forward: float = 0.0
    mask: float = 0.0
    draft: float = 0.0
    total: float = 0.0
    passes: int = 0
    guessed: int = 0
    kept: int = 0


@dataclass(slots=True)
class Row:
    """One output in the making.

    ``pending``: tokens that are committed, but that the model has not seen. ``patience``
    says how far to guess, ``kind`` is what kind the last guess was of.
    ``written``: the text, kept for stop texts alone; ``cut``: its size in bytes, once one
    has ended it.
    """

    prompt: list[int]
    state: GrammarState
    drafter: Drafter
    sampler: Sampler
    patience: Patience
    tokens: list[int] = field(default_factory=list)
    kinds: list[Kind] = field(default_factory=list)
    pending: list[int] = field(default_factory=list)
    kind: str = ""
    finish: FinishReason | None = None
    written: bytearray = field(default_factory=bytearray)
    cut: int | None = None

    def end_at(self, stops: StopTexts, piece: bytes) -> None:
        """Take in a token's bytes; the row ends where they complete a stop text."""
        self.written += piece
        self.cut = stops.found(self.written, len(piece))
        if self.cut is not None:
            self.finish = "stop"


@dataclass(slots=True)
class Ahead:
    """What the grammar says along a draft and after it.

    ``bitmask``: a row of int32 words a position. ``forced``: by position the token that
    jump-forward commits there, ``None`` where the model chooses; it ends where a draft
    has another token, since nothing after that is looked at. So a draft never changes how
    forced text is tokenized.
    """

    bitmask: Any
    forced: list[int | None] = field(default_factory=list)


OnToken = Callable[[Row, int, Kind], None]
"""Called with the row, the token id and its kind for every token, as it is chosen."""


class Loop:
    """Runs rows to their end.

    Args:
        model: a causal language model of transformers, in eval mode.
        tokens: its tokenizer.
        settings: how to decode.
        on_token: called for every token.
    """

    def __init__(
        self, model: Any, tokens: Tokens, settings: Decoding, on_token: OnToken | None = None
    ) -> None:
        self.model = model
        self.tokens = tokens
        self.settings = settings
        self.on_token = on_token
        self.timing = Timing()
        self._stops = StopTexts(settings.stop)

    def run(self, rows: Sequence[Row], cache: Any, seen: int = 0) -> None:
        """Decode all rows to their end.

        Args:
            rows: fresh rows.
            cache: the model's key-value cache; it may hold the first ``seen`` tokens of a
                single row's prompt, and holds the row's tokens afterwards.
            seen: how many.
        """
        import torch

        start = time.perf_counter()
        for row in rows:
            row.pending = row.prompt[seen:]
        batch = Batch(self.model, cache, len(rows), seen)
        with torch.inference_mode():
            while True:
                for row in rows:
                    self._force(row)
                if all(row.finish for row in rows):
                    break
                self._step(rows, batch)
        self.timing.total += time.perf_counter() - start

    def _force(self, row: Row) -> None:
        """Commit what the grammar leaves no choice about, without the model."""
        while row.finish is None and self.settings.jump_forward and row.state.constrained:
            if not (self._jump(row) or self._only_token(row)):
                return

    def _jump(self, row: Row) -> bool:
        """Commit forced text; true if anything was committed."""
        committed = 0
        for token in self._sure(row.state, row.tokens):
            if row.finish is not None or not row.state.accept(token):
                break
            self._commit(row, token, "forced")
            row.pending.append(token)
            committed += 1
        return bool(committed)

    def _sure(self, state: GrammarState, before: Sequence[int]) -> list[int]:
        """The tokens that jump-forward commits after ``before``, empty where it does not."""
        text = state.forced_text()
        return sure_tokens(self.tokens, before, text) if text else []

    def _only_token(self, row: Row) -> bool:
        """Commit a token that is the only one allowed; true if there was one."""
        bitmask = xgrammar().allocate_token_bitmask(1, row.state.vocab_size)
        if not self._fill(row.state, bitmask, 0):
            return False
        allowed = allowed_ids(bitmask[0].numpy(), row.state.vocab_size)
        if len(allowed) != 1 or not row.state.accept(int(allowed[0])):
            return False
        self._commit(row, int(allowed[0]), "forced")
        if row.finish is None:
            row.pending.append(int(allowed[0]))
        return True

    def _step(self, rows: Sequence[Row], batch: Batch) -> None:
        drafts = [self._draft(row) for row in rows]
        chunks = [
            [] if row.finish else row.pending + draft
            for row, draft in zip(rows, drafts, strict=True)
        ]
        clock = time.perf_counter()
        logits = batch.forward(chunks, keep=max(map(len, drafts)) + 1)
        views = [self._ahead(row, draft) for row, draft in zip(rows, drafts, strict=True)]
        dropped = []
        for index, (row, draft) in enumerate(zip(rows, drafts, strict=True)):
            kept = 0
            if row.finish is None:
                kept = self._choose(row, draft, logits[index], views[index])
                if draft:
                    row.patience.note(row.kind, len(draft), kept)
            dropped.append(len(draft) - kept)
        batch.drop(dropped)
        self._note(time.perf_counter() - clock)

    def _note(self, elapsed: float) -> None:
        self.timing.forward += elapsed
        if not self.timing.passes:
            self.timing.prefill = elapsed
        self.timing.passes += 1

    def _draft(self, row: Row) -> list[int]:
        room = self.settings.max_new_tokens - len(row.tokens) - 1
        if row.finish is not None or room <= 0:
            return []
        clock = time.perf_counter()
        draft = self._guess(row, min(room, self.settings.draft))
        self.timing.draft += time.perf_counter() - clock
        self.timing.guessed += len(draft)
        return draft

    def _guess(self, row: Row, most: int) -> list[int]:
        guess = row.drafter.guess(row.state, most * _CHARACTERS, row.tokens) if most else None
        if guess is None:
            return []
        row.kind = guess.kind
        reach = min(row.patience.reach(guess.kind), most)
        return row.drafter.tokens_of(guess, row.state, reach, row.tokens) if reach else []

    def _ahead(self, row: Row, draft: Sequence[int]) -> Ahead | None:
        """What the grammar says along a draft and after it, ``None`` without grammar."""
        state = row.state
        if row.finish is not None or not state.constrained:
            return None
        ahead = Ahead(xgrammar().allocate_token_bitmask(len(draft) + 1, state.vocab_size))
        before = [*row.tokens]
        sure: list[int] = []
        for position in range(len(draft) + 1):
            # Before the first position all that is forced has been committed.
            if position and not sure and self.settings.jump_forward:
                sure = self._sure(state, before)
            self._fill(state, ahead.bitmask, position)
            ahead.forced.append(sure.pop(0) if sure else None)
            if position == len(draft) or ahead.forced[-1] not in (None, draft[position]):
                break
            state.accept(draft[position])
            before.append(draft[position])
        state.rollback(len(ahead.forced) - 1)
        return ahead

    def _fill(self, state: GrammarState, bitmask: Any, position: int) -> bool:
        clock = time.perf_counter()
        needed = state.fill(bitmask, position)
        self.timing.mask += time.perf_counter() - clock
        return needed

    def _choose(self, row: Row, draft: Sequence[int], logits: Any, ahead: Ahead | None) -> int:
        """Choose along the draft; returns how many guesses were kept."""
        logits = logits[-(len(draft) + 1) :, : row.state.vocab_size]
        if ahead is not None:
            clock = time.perf_counter()
            logits = logits.contiguous()
            xgrammar().apply_token_bitmask_inplace(logits, ahead.bitmask.to(logits.device))
            self.timing.mask += time.perf_counter() - clock
        greedy = logits.argmax(dim=-1).tolist() if row.sampler.greedy else None
        for position in range(len(draft) + 1):
            token, kind = self._told(row, ahead, position)
            if token is None:
                token = greedy[position] if greedy else row.sampler.choose(logits[position])
            row.state.accept(token)
            self._commit(row, token, kind)
            guessed = position < len(draft) and token == draft[position]
            if row.finish is not None or not guessed:
                row.pending = [] if row.finish else [token]
                self.timing.kept += position
                return position
        raise AssertionError("the last position has no guess")

    def _told(self, row: Row, ahead: Ahead | None, position: int) -> tuple[int | None, Kind]:
        """The token that no choice is left about, if so, and the kind of what comes there."""
        if ahead is None:
            return None, "free"
        if ahead.forced[position] is not None:
            return ahead.forced[position], "forced"
        allowed = allowed_ids(ahead.bitmask[position].numpy(), row.state.vocab_size)
        if len(allowed) == 1:
            return int(allowed[0]), "forced"
        many = len(allowed) >= FREE_SHARE * row.state.vocab_size
        return None, "free" if many else "constrained"

    def _commit(self, row: Row, token: int, kind: Kind) -> None:
        """Record a token that the grammar has accepted; stop tokens and texts end the row."""
        if token in row.state.stop_ids:
            row.finish = "stop"
            return
        row.tokens.append(token)
        row.kinds.append(kind)
        if self._stops:
            row.end_at(self._stops, self.tokens.piece(token))
        if self.on_token is not None and row.cut is None:
            self.on_token(row, token, kind)
        if row.finish is None and len(row.tokens) >= self.settings.max_new_tokens:
            row.finish = "length"
