"""Counting spellings, against a search through every sequence of tokens."""

from __future__ import annotations

from itertools import product

import pytest

from structag_cli.builder.build import ban_tag, string_ban_tag
from structag_cli.engine.tokens import TokenCompiler, TokenGrammar
from structag_cli.masks.leaks import find_leak
from structag_cli.masks.markers import spellings
from structag_cli.masks.spelling import PieceIndex

PIECES = [b"<", b"t", b"c", b">", b"<t", b"tc", b"c>", b"<tc>", b"x<", b">y", b"x<t", b"a<tc>b"]
PIECES += [b"<tc>", b"", b"<stop>"]
TARGET = b"<tc>"
STOP = len(PIECES) - 1


@pytest.fixture(scope="module")
def compiler() -> TokenCompiler:
    return TokenCompiler(PIECES, [STOP])


def by_search(grammar: TokenGrammar, longest: int) -> tuple[set[tuple[int, ...]], int]:
    """Every accepted spelling, and how many covers, found by trying all sequences."""
    exact: set[tuple[int, ...]] = set()
    covers = 0
    ids = [i for i, p in enumerate(PIECES) if p and i != STOP]
    for size in range(1, longest + 1):
        for way in product(ids, repeat=size):
            text = b"".join(PIECES[i] for i in way)
            found = covers_in(way, text)
            if not found and text != TARGET:
                continue
            walker = grammar.walker()
            if walker.accept_all(way) == len(way):
                covers += found
                if text == TARGET:
                    exact.add(way)
    return exact, covers


def covers_in(way: tuple[int, ...], text: bytes) -> int:
    """Places of the target whose first byte is in the first token, its last in the last."""
    first, last = len(PIECES[way[0]]), len(text) - len(PIECES[way[-1]])
    places = [at for at in range(len(text)) if text.startswith(TARGET, at)]
    return sum(1 for at in places if at < first and at + len(TARGET) - 1 >= last)


def test_token_ban_counts_equal_a_full_search(compiler: TokenCompiler) -> None:
    grammar = compiler.compile(ban_tag(("<tc>",)).to_json())
    leak = find_leak(grammar, PieceIndex(PIECES, {STOP}).fits(TARGET), PIECES)
    exact, covers = by_search(grammar, 4)
    assert leak.spellings == len(exact)
    assert leak.covers == covers
    assert leak.witness in exact
    assert leak.accepted
    assert leak.stateless


def test_a_second_token_of_the_same_text_leaks(compiler: TokenCompiler) -> None:
    """xgrammar resolves a string in exclude_tokens to the lowest id alone."""
    grammar = compiler.compile(ban_tag(("<tc>",)).to_json())
    leak = find_leak(grammar, PieceIndex(PIECES, {STOP}).fits(TARGET), PIECES)
    assert leak.witness == (12,)


def test_string_ban_leaves_no_spelling(compiler: TokenCompiler) -> None:
    grammar = compiler.compile(string_ban_tag(("<tc>",)).to_json())
    leak = find_leak(grammar, PieceIndex(PIECES, {STOP}).fits(TARGET), PIECES)
    assert (leak.spellings, leak.covers, leak.witness) == (0, 0, ())
    assert by_search(grammar, 4) == (set(), 0)
    assert not leak.leaks
    assert leak.stops_at == 3


def test_fits_are_what_a_look_at_each_piece_finds() -> None:
    found = PieceIndex(PIECES, {STOP}).fits(TARGET)
    assert found.whole == [7, 12]
    assert found.containing == {11: 1}
    assert found.starts == {1: [8], 2: [10], 3: []}
    assert found.ends == {1: [], 2: [], 3: [9]}
    assert {k: sorted(v) for k, v in found.inside.items()} == {
        0: [(0, 1), (4, 2), (7, 4), (12, 4)],
        1: [(1, 1), (5, 2)],
        2: [(2, 1), (6, 2)],
        3: [(3, 1)],
    }


def test_one_byte_strings_and_absent_ones(compiler: TokenCompiler) -> None:
    index = PieceIndex(PIECES, {STOP})
    assert index.fits(b"<").whole == [0]
    assert spellings(index.fits(b"zzz")) == 0
    grammar = compiler.compile(string_ban_tag(("<",)).to_json())
    leak = find_leak(grammar, index.fits(b"<"), PIECES)
    assert not leak.leaks


def test_spellings_without_a_grammar() -> None:
    found = PieceIndex(PIECES, {STOP}).fits(TARGET)
    ids = [i for i, p in enumerate(PIECES) if p and i != STOP]
    counted = sum(
        b"".join(PIECES[i] for i in way) == TARGET
        for size in range(1, 5)
        for way in product(ids, repeat=size)
    )
    assert spellings(found) == counted
