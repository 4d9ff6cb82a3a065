"""What is odd about a tokenizer, as findings."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from structag_cli.tokenizers.tokenizer import Tokenizer

Severity = Literal["error", "warning", "note"]

_TURN_ENDS = ("<|im_end|>", "<|eot_id|>", "<|eot|>", "<end_of_turn>", "<turn|>", "<|end|>")
"""Tokens that end a turn in common chat templates."""

PROBES = (
    " a b  c",
    "x\ty\n\nz",
    "\u4f60\u597d\uff0c\u4e16\u754c",
    "caf\u00e9 \u00fcber",
    "e\u0323\u0301",
    "\U0001f600\U0001f468\u200d\U0001f4bb",
    '{"city": "\u00c5rhus"}',
)
"""Texts to write and read back: spaces, CJK, accents apart and composed, emoji, JSON."""


@dataclass(frozen=True, slots=True)
class TokenizerFinding:
    """One thing to know: a stable ``code``, how bad it is, and what it is."""

    code: str
    severity: Severity
    message: str


def findings(tokenizer: Tokenizer, engine_stops: Sequence[int]) -> list[TokenizerFinding]:
    """All that is odd.

    Args:
        tokenizer: the tokenizer.
        engine_stops: the stop ids that xgrammar works with.
    """
    return [
        *_stops(tokenizer, engine_stops),
        *_pieces(tokenizer),
        *_round_trip(tokenizer),
        *(TokenizerFinding("reading", "note", note) for note in tokenizer.vocabulary.notes),
    ]


def _stops(tokenizer: Tokenizer, engine_stops: Sequence[int]) -> list[TokenizerFinding]:
    vocabulary = tokenizer.vocabulary
    found = []
    known = vocabulary.stop_ids()
    if not known:
        guess = ", ".join(map(str, engine_stops)) or "none"
        text = f"no file names a stop token; xgrammar guesses by the pieces: {guess}"
        found.append(TokenizerFinding("no-stop", "error" if not engine_stops else "warning", text))
    by_source: dict[str, set[int]] = {}
    for stop in vocabulary.stops:
        by_source.setdefault(stop.source, set()).add(stop.id)
    if len({frozenset(ids) for ids in by_source.values()}) > 1:
        parts = (f"{source}: {_list(ids)}" for source, ids in by_source.items())
        text = "the files differ on what ends an output: " + "; ".join(parts)
        found.append(TokenizerFinding("stops-differ", "warning", text))
    found += _odd_stops(tokenizer, known)
    return found


def _odd_stops(tokenizer: Tokenizer, known: Sequence[int]) -> list[TokenizerFinding]:
    vocabulary = tokenizer.vocabulary
    added = vocabulary.added_by_id()
    found = []
    for index in known:
        if index >= tokenizer.size:
            text = f"stop {index} is outside the vocabulary of {tokenizer.size}: never reached"
            found.append(TokenizerFinding("stop-out-of-range", "error", text))
        elif index not in added and vocabulary.added and index < vocabulary.size:
            text = f"stop {index} is the ordinary token {tokenizer.text(index)!r}"
            found.append(TokenizerFinding("stop-is-text", "error", text))
    ends = [token for token in vocabulary.added if token.text in _TURN_ENDS]
    if known and ends and not any(token.id in known for token in ends):
        names = ", ".join(f"{token.text} ({token.id})" for token in ends)
        text = (
            f"no stop ends a chat turn: {names} is in the vocabulary and no stop, so a "
            "constrained output cannot end where the model would end it"
        )
        found.append(TokenizerFinding("turn-end-no-stop", "warning", text))
    return found


def _pieces(tokenizer: Tokenizer) -> list[TokenizerFinding]:
    vocabulary = tokenizer.vocabulary
    found = []
    holes = vocabulary.holes
    if holes:
        text = f"{len(holes)} ids have no token (first {holes[0]}); xgrammar never allows them"
        found.append(TokenizerFinding("holes", "note", text))
    twins = vocabulary.twins
    if twins:
        first = twins[0]
        text = (
            f"{len(twins)} texts have several ids, {tokenizer.text(first[0])!r} has "
            f"{_list(first)}: a ban by string in exclude_tokens takes the lowest id alone"
        )
        found.append(TokenizerFinding("duplicates", "warning", text))
    if vocabulary.misread:
        first_bad = vocabulary.misread[0]
        text = (
            f"{len(vocabulary.misread)} pieces are not what the tokenizer decodes: "
            f"{first_bad.id} is {first_bad.piece!r} to xgrammar and {first_bad.decoded!r} in text"
        )
        found.append(TokenizerFinding("misread", "warning", text))
    if tokenizer.size < vocabulary.size:
        text = f"{vocabulary.size - tokenizer.size} tokens lie beyond the model's {tokenizer.size}"
        found.append(TokenizerFinding("cut", "note", text))
    return found


def _round_trip(tokenizer: Tokenizer) -> list[TokenizerFinding]:
    """Texts whose tokens spell something else."""
    found = []
    for probe in PROBES:
        try:
            ids = tokenizer.encode(probe)
        except UnicodeError:
            continue
        pieces = tokenizer.vocabulary.pieces
        text = b"".join(pieces[i] for i in ids if i < len(pieces)).decode("utf-8", "replace")
        if text.removeprefix(" ") == probe.removeprefix(" "):
            continue
        if unicodedata.normalize("NFC", probe) == text:
            message = f"it composes characters (NFC): {probe!a} becomes {text!a}"
            found.append(TokenizerFinding("normalizes", "note", message))
        else:
            message = f"{probe!a} is written as {text!a} by its tokens"
            found.append(TokenizerFinding("round-trip", "warning", message))
    return found


def _list(ids: Sequence[int] | set[int]) -> str:
    return ", ".join(map(str, sorted(ids)))
