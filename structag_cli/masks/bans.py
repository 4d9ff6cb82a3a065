"""The ban report: what ``tool_choice: none`` masks, and whether it bans."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from structag_cli.builder.build import ban_tag, string_ban_tag
from structag_cli.builder.nodes import AnyTokens, StructuralTag
from structag_cli.engine.tokens import TokenCompiler, TokenGrammar
from structag_cli.errors import EngineError
from structag_cli.formats.model import Grammar
from structag_cli.masks.leaks import Leak, find_leak
from structag_cli.masks.markers import Marker, standing
from structag_cli.masks.mask import Mask
from structag_cli.masks.sample import innocent_texts, sample_call
from structag_cli.masks.spelling import PieceIndex
from structag_cli.reader import read_calls
from structag_cli.request import Tool
from structag_cli.tokenizers.tokenizer import Tokenizer

Mode = Literal["token", "string"]

_STEPS = 256


@dataclass(frozen=True, slots=True)
class BannedString:
    """One string under one way of banning.

    Attributes:
        string: what is banned.
        token_ids: how the tokenizer writes it.
        standing: what kind of token it is, when it is one.
        leak: how it can still be spelled.
        call_ids: a whole call with the string spelled by the witness.
        call_text: that call as text.
        call_accepted: the grammar takes the whole call, token by token.
        parsed_calls: what a parser of the format reads from it.
        containing: pieces of allowed tokens that hold the string and more.
    """

    string: str
    token_ids: tuple[int, ...]
    standing: str
    leak: Leak
    witness_text: str
    call_ids: tuple[int, ...] = ()
    call_text: str = ""
    call_accepted: bool = False
    parsed_calls: tuple[dict[str, Any], ...] = ()
    containing: tuple[str, ...] = ()

    @property
    def single_token(self) -> bool:
        """Whether the string is one token of its own."""
        return self.standing != "several tokens"


@dataclass(frozen=True, slots=True)
class BanMode:
    """One way of banning.

    ``error`` is xgrammar's word when it refuses the tag; the mask and the leaks are then
    those of no constraint at all. ``compile_seconds`` and ``step_seconds`` are measured
    on this machine, the latter for one mask and one accepted token.
    """

    mode: Mode
    tag: dict[str, Any]
    mask: Mask
    stop_ids_allowed: tuple[int, ...]
    bans: tuple[BannedString, ...]
    innocent: tuple[str, ...]
    compile_seconds: float
    step_seconds: float
    error: str = ""

    @property
    def leaks(self) -> bool:
        """Whether any of the strings can still be written."""
        return any(ban.leak.leaks for ban in self.bans)


@dataclass(frozen=True, slots=True)
class BanReport:
    """The ban of one parser on one tokenizer, in one or both modes."""

    tokenizer: Tokenizer
    parser: str
    format: str
    sent: str
    modes: tuple[BanMode, ...]
    advice: tuple[str, ...] = ()
    markers: tuple[Marker, ...] = ()


class BanChecker:
    """Checks bans on one tokenizer; built once, used for any number of parsers."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.pieces = tokenizer.pieces
        self.compiler = TokenCompiler(self.pieces, tokenizer.stop_ids())
        self.index = PieceIndex(self.pieces, set(self.compiler.stop_ids))

    def check(
        self, mode: Mode, strings: Sequence[str], grammar: Grammar, tools: Sequence[Tool]
    ) -> BanMode:
        """Compile the ban and look at all that it lets through.

        Args:
            mode: by token id, or by string.
            strings: what to ban; not empty.
            grammar: the wire format, for a sample call and for reading it back.
            tools: the request's tools, the first of which the sample call calls.
        """
        tag = ban_tag(tuple(strings)) if mode == "token" else string_ban_tag(tuple(strings))
        error = ""
        try:
            compiled = self.compiler.compile(tag.to_json())
        except EngineError as err:
            error = err.message
            compiled = self.compiler.compile(StructuralTag(AnyTokens([])).to_json())
        words = compiled.walker().words().copy()
        mask = Mask(words, self.tokenizer.size, len(self.tokenizer.padding))
        call = self.tokenizer.encode(sample_call(grammar, tools))
        found = [self._ban(compiled, string) for string in strings]
        spelled = {b.token_ids[0]: b.leak.witness for b in found if len(b.token_ids) == 1}
        bans = tuple(self._with_call(b, compiled, call, spelled, grammar, tools) for b in found)
        return BanMode(
            mode=mode,
            tag=tag.to_json(),
            mask=mask,
            stop_ids_allowed=tuple(i for i in self.compiler.stop_ids if i in mask),
            bans=bans,
            innocent=() if error else tuple(self._innocent(compiled, strings)),
            compile_seconds=compiled.seconds,
            step_seconds=self._step_seconds(compiled),
            error=error,
        )

    def _ban(self, compiled: TokenGrammar, string: str) -> BannedString:
        found = self.index.fits(string.encode())
        leak = find_leak(compiled, found, self.pieces)
        return BannedString(
            string=string,
            token_ids=tuple(self.tokenizer.encode(string)),
            standing=standing(self.tokenizer, found),
            leak=leak,
            witness_text=self._text(leak.witness),
            containing=tuple(self._text([index]) for index in leak.containing),
        )

    def _with_call(
        self,
        ban: BannedString,
        compiled: TokenGrammar,
        call: Sequence[int],
        spelled: dict[int, tuple[int, ...]],
        grammar: Grammar,
        tools: Sequence[Tool],
    ) -> BannedString:
        """The same, with a whole call in which every banned token is spelled out."""
        if not ban.leak.leaks:
            return ban
        ids = [part for index in call for part in (spelled.get(index) or (index,))]
        text = self._text(ids)
        schemas = {tool.name: tool.parameters for tool in tools}
        reading = read_calls(grammar, text, tools=schemas)
        accepted = compiled.walker().accept_all(ids) == len(ids)
        return BannedString(
            string=ban.string,
            token_ids=ban.token_ids,
            standing=ban.standing,
            leak=ban.leak,
            witness_text=ban.witness_text,
            call_ids=tuple(ids),
            call_text=text,
            call_accepted=accepted,
            parsed_calls=tuple(
                {"name": c.name, "arguments": c.arguments} for c in reading.calls if accepted
            ),
            containing=ban.containing,
        )

    def _text(self, ids: Sequence[int]) -> str:
        return b"".join(self.pieces[index] for index in ids).decode("utf-8", "backslashreplace")

    def _innocent(self, compiled: TokenGrammar, strings: Sequence[str]) -> list[str]:
        """Labels of innocent texts that the ban refuses as the tokenizer writes them."""
        refused = []
        for label, text in innocent_texts(strings):
            ids = self.tokenizer.encode(text)
            if compiled.walker().accept_all(ids) < len(ids):
                refused.append(label)
        return refused

    def _step_seconds(self, compiled: TokenGrammar) -> float:
        """The median of one mask and one accepted token, over a plain text."""
        ids = self.tokenizer.encode("The weather in Paris is mild, 18 degrees and dry.\n")
        walker = compiled.walker()
        times = []
        for number in range(_STEPS):
            start = time.perf_counter()
            walker.words()
            walker.accept(ids[number % len(ids)])
            times.append(time.perf_counter() - start)
        return sorted(times)[len(times) // 2]
