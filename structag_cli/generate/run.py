"""Requests in, verified outputs out."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

from structag_cli.engine.text import compile_text, token_strings
from structag_cli.engine.tokens import TokenCompiler
from structag_cli.errors import InputError
from structag_cli.formats.model import Grammar
from structag_cli.generate import hf
from structag_cli.generate.drafts import Clues, Drafter, likely_names
from structag_cli.generate.grammar_state import GrammarState
from structag_cli.generate.loop import Loop, OnToken, Row, Timing
from structag_cli.generate.models import LoadedModel
from structag_cli.generate.patience import Patience
from structag_cli.generate.result import Generation, Segment, Stats
from structag_cli.generate.sampling import Sampler
from structag_cli.generate.settings import Decoding
from structag_cli.generate.stop_texts import cut_pieces
from structag_cli.place import Place
from structag_cli.reader import read_calls
from structag_cli.reader.verdicts import honours, judge_calls
from structag_cli.request import ToolRequest

Engine = Literal["loop", "hf"]

_CLOSERS = {
    "json": ('"',),
    "qwen_xml": ("\n</parameter>", "</parameter>"),
    "deepseek_xml": ("</｜DSML｜parameter>\n",),
    "deepseek_v4_1_xml": ("</｜DSML｜ parameter>\n",),
    "minimax_xml": ("</parameter>\n",),
    "glm_xml": ("</arg_value>",),
}
"""What ends a free value in each argument style, for guesses."""


@dataclass(frozen=True, slots=True)
class Job:
    """One output to generate: a prompt, and the tag that holds it (``None``: free)."""

    prompt: str
    request: ToolRequest
    grammar: Grammar
    tag: Mapping[str, Any] | None


class ModelTokens:
    """A loaded model's tokenizer, as the loop wants it."""

    def __init__(self, loaded: LoadedModel) -> None:
        self._encode = loaded.tokenizer.encoder()
        self._pieces = loaded.tokenizer.pieces

    def encode(self, text: str) -> list[int]:
        """The token ids of a text."""
        return self._encode(text)

    def piece(self, token: int) -> bytes:
        """The bytes of a token."""
        return self._pieces[token]


class Generator:
    """Generates on one model; keeps the prompt's prefix cached from request to request."""

    def __init__(self, loaded: LoadedModel) -> None:
        self.loaded = loaded
        if not loaded.stop_ids:
            raise InputError("the model's files name no stop token", place=Place(loaded.name))
        self.tokens = ModelTokens(loaded)
        self.width = loaded.tokenizer.size
        self._compiler = TokenCompiler(loaded.tokenizer.pieces, loaded.stop_ids)
        self._cache: Any = None
        self._cached: list[int] = []

    def generate(
        self,
        jobs: Sequence[Job],
        settings: Decoding,
        *,
        on_token: OnToken | None = None,
        streams: Sequence[int] = (),
        engine: Engine = "loop",
    ) -> list[Generation]:
        """Generate all jobs in one batch.

        Args:
            jobs: what to generate.
            settings: how to decode.
            on_token: called for every token as it is chosen.
            streams: the number of each job's random stream; by default 0, 1, 2, ...
            engine: our own loop, or ``model.generate`` with xgrammar's logits processor.

        Raises:
            StructagError: xgrammar refuses a tag, or a prompt is too long.
        """
        compiled, seconds = self._compiled(jobs)
        rows = [
            self._row(job, grammar, settings, stream)
            for job, grammar, stream in zip(
                jobs, compiled, streams or range(len(jobs)), strict=True
            )
        ]
        for row in rows:
            self._check_length(row, settings)
        if engine == "hf":
            timing = hf.run(self.loaded, rows, compiled, settings)
        else:
            timing = self._loop(rows, settings, on_token)
        return [
            self._judged(job, row, timing, seconds) for job, row in zip(jobs, rows, strict=True)
        ]

    def _loop(self, rows: list[Row], settings: Decoding, on_token: OnToken | None) -> Timing:
        loop = Loop(self.loaded.model, self.tokens, settings, on_token)
        seen = self._reusable(rows[0].prompt) if len(rows) == 1 else 0
        if not seen:
            self._cache = _new_cache()
        try:
            loop.run(rows, self._cache, seen)
        except (RuntimeError, MemoryError) as err:
            self._cache, self._cached = None, []
            if "memory" not in str(err).lower() and not isinstance(err, MemoryError):
                raise
            raise InputError(
                "out of memory while decoding",
                place=Place(self.loaded.name),
                mend="a shorter prompt, fewer outputs at once, or --dtype bfloat16",
            ) from None
        self._remember(rows)
        return loop.timing

    def forget(self) -> None:
        """Drop the kept prefix."""
        self._cache, self._cached = None, []

    def _compiled(self, jobs: Sequence[Job]) -> tuple[list[Any], float]:
        start = time.perf_counter()
        grammars = [None if j.tag is None else self._compiler.compile(j.tag).compiled for j in jobs]
        return grammars, time.perf_counter() - start

    def _row(self, job: Job, compiled: Any, settings: Decoding, stream: int) -> Row:
        message = _last_message(job.request)
        names = likely_names([tool.name for tool in job.request.tools or ()], message)
        closers = _CLOSERS.get(job.grammar.calls[0].style, ('"',))
        return Row(
            prompt=self.tokens.encode(job.prompt),
            state=GrammarState(compiled, self.width, self.loaded.stop_ids),
            drafter=Drafter(self.tokens, Clues(message, names, closers)),
            sampler=Sampler(settings, stream),
            patience=Patience(settings.draft),
        )

    def _check_length(self, row: Row, settings: Decoding) -> None:
        if not row.prompt:
            raise InputError("the prompt is empty", place=Place("prompt"))
        room = self.loaded.context - len(row.prompt)
        if room < 1:
            raise InputError(
                f"the prompt has {len(row.prompt)} tokens, the model holds {self.loaded.context}",
                place=Place("prompt"),
                mend="shorten it",
            )

    def _reusable(self, prompt: list[int]) -> int:
        """Cut the kept cache to the part that this prompt shares; returns its length."""
        if self._cache is None:
            return 0
        shared = 0
        for mine, kept in zip(prompt[:-1], self._cached, strict=False):
            if mine != kept:
                break
            shared += 1
        surplus = self._cache.get_seq_length() - shared
        if surplus:
            self._cache.crop(-surplus)
        return shared

    def _remember(self, rows: Sequence[Row]) -> None:
        if len(rows) > 1:
            self._cache, self._cached = None, []
            return
        known = [*rows[0].prompt, *rows[0].tokens]
        self._cached = known[: self._cache.get_seq_length()]

    def _judged(self, job: Job, row: Row, timing: Timing, compile_seconds: float) -> Generation:
        pieces = cut_pieces([self.tokens.piece(token) for token in row.tokens], row.cut)
        text = b"".join(pieces).decode("utf-8", "replace")
        reading = read_calls(job.grammar, text, tools=job.request.schemas)
        return Generation(
            text=text,
            token_ids=tuple(row.tokens),
            finish_reason=row.finish or "length",
            accepted=_accepted(row, job.tag, text),
            content=reading.content,
            calls=judge_calls(reading, job.request),
            honours=honours(reading, job.request),
            stats=_stats(row, timing, compile_seconds),
            segments=tuple(_segments(pieces, row.kinds)),
            problems=tuple(f"at character {p.position}: {p.what}" for p in reading.problems),
        )


def _accepted(row: Row, tag: Mapping[str, Any] | None, text: str) -> bool | None:
    """The tag's verdict; ``None`` without one, or if a stop text cut what only tokens tell."""
    if tag is None or (row.cut is not None and any(token_strings(tag))):
        return None
    return row.finish == "stop" and accepts(tag, text)


def accepts(tag: Mapping[str, Any], text: str) -> bool:
    """Whether a tag accepts a text, asked of a fresh grammar that reads bytes.

    A tag that speaks of tokens cannot be asked by text; the loop's own matcher has then
    accepted every token.
    """
    if any(token_strings(tag)):
        return True
    return compile_text(tag).check(text).accepted


def _new_cache() -> Any:
    from transformers import DynamicCache

    return DynamicCache()


def _last_message(request: ToolRequest) -> str:
    """The text of the last message that the user wrote."""
    for message in reversed(request.messages):
        content = message.get("content")
        if message.get("role") == "user" and isinstance(content, str):
            return content
    return ""


def _segments(pieces: Sequence[bytes], kinds: Sequence[str]) -> list[Segment]:
    pairs = zip(kinds, pieces, strict=True)
    return [
        Segment(b"".join(piece for _, piece in group).decode("utf-8", "replace"), kind)
        for kind, group in groupby(pairs, key=lambda pair: pair[0])
    ]


def _stats(row: Row, timing: Timing, compile_seconds: float) -> Stats:
    return Stats(
        tokens=len(row.tokens),
        prompt_tokens=len(row.prompt),
        forced=row.kinds.count("forced"),
        constrained=row.kinds.count("constrained"),
        free=row.kinds.count("free"),
        passes=timing.passes,
        guessed=timing.guessed,
        kept=timing.kept,
        total=timing.total,
        seconds={
            "prefill": timing.prefill if timing.told_apart else None,
            "forward": timing.forward if timing.told_apart else None,
            "mask": timing.mask if timing.told_apart else None,
            "draft": timing.draft if timing.told_apart else None,
            "compile": compile_seconds,
        },
        peak_memory_mib=peak_memory_mib(),
    )


def peak_memory_mib() -> float:
    """Peak resident memory of this process in MiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024) if sys.platform == "darwin" else peak / 1024
