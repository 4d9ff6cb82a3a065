"""The markers of a format on a tokenizer: one token or many, and how often spelled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from structag_cli.formats.model import Grammar
from structag_cli.masks.sample import sample_call
from structag_cli.masks.spelling import Fits, PieceIndex
from structag_cli.masks.step import Stepper
from structag_cli.masks.trust import TokenizerFinding
from structag_cli.request import Tool
from structag_cli.tokenizers.tokenizer import Tokenizer

RECOGNISED = (
    "parsers that read text see every spelling; parsers that look for the token's id "
    "(vLLM's for Qwen, vllm-project/vllm issue 58105) see the single token alone"
)
"""Which spelling a parser recognises."""


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker as the tokenizer writes it.

    ``spellings`` counts every sequence of tokens that spells it, on no grammar at all;
    ``standing`` is special, added or ordinary for one token, else "several tokens".
    """

    string: str
    token_ids: tuple[int, ...]
    standing: str
    spellings: int

    def to_json(self) -> dict[str, Any]:
        """Its fields, for ``--format json``."""
        return {
            "string": self.string,
            "token_ids": list(self.token_ids),
            "single_token": self.standing != "several tokens",
            "standing": self.standing,
            "spellings": self.spellings,
        }


def markers(tokenizer: Tokenizer, index: PieceIndex, grammar: Grammar) -> list[Marker]:
    """The format's triggers, its block's begin and end, and what it bans."""
    block = [grammar.block.begin.strip(), grammar.block.end.strip()] if grammar.block else []
    strings = [*grammar.triggers, *block, *grammar.ban.tokens]
    found = []
    for string in dict.fromkeys(s for s in strings if s):
        fits = index.fits(string.encode())
        ids = tuple(tokenizer.encode(string))
        found.append(Marker(string, ids, standing(tokenizer, fits), spellings(fits)))
    return found


def standing(tokenizer: Tokenizer, found: Fits) -> str:
    """What kind of token a string is, when it is one."""
    if not found.whole:
        return "several tokens"
    added = tokenizer.vocabulary.added_by_id().get(found.whole[0])
    if added is None:
        return "ordinary"
    return "special" if added.special else "added"


def spellings(found: Fits) -> int:
    """How many sequences of tokens spell a string, whatever a grammar allows."""
    ways = {0: 1}
    for position in range(len(found.target)):
        for _id, length in found.inside.get(position, []) if position in ways else []:
            ways[position + length] = ways.get(position + length, 0) + ways[position]
    return ways.get(len(found.target), 0)


def call_end(stepper: Stepper, grammar: Grammar, tools: Sequence[Tool]) -> list[TokenizerFinding]:
    """Can the output end after a call? A finding when no stop token is allowed there.

    Nothing is said where the tag refuses the sample call itself.
    """
    ids = stepper.tokenizer.encode(sample_call(grammar, tools).lstrip())
    walker = stepper.grammar.walker()
    if walker.accept_all(ids) < len(ids):
        return []
    mask = stepper.mask(walker)
    if any(index in mask for index in stepper.compiler.stop_ids):
        return []
    text = "after a whole call no stop token is allowed: the request would never end there"
    return [TokenizerFinding("no-end-after-call", "error", text)]
