"""Mistral's ``tekken.json``: tiktoken ranks behind a block of control tokens."""

from __future__ import annotations

import binascii
from typing import Any

from structag_cli.tokenizers import stops
from structag_cli.tokenizers.hf import MAX_ID
from structag_cli.tokenizers.source import Encode, Source, broken
from structag_cli.tokenizers.tiktoken_file import library_encoding
from structag_cli.tokenizers.vocabulary import Added, Stop, Vocabulary

_END = "</s>"


def read(source: Source) -> Vocabulary:
    """The vocabulary of a ``tekken.json``: control tokens first, then the ranks.

    Raises:
        InputError: the file is unreadable or broken.
    """
    document = _document(source)
    offset, size = _sizes(source, document)
    added = _added(source, document, offset)
    pieces = [b""] * offset + _ranked(source, document)[: size - offset]
    for token in added:
        pieces[token.id] = token.text.encode()
    ends = [Stop(t.id, t.text, "tekken.json: </s>") for t in added if t.text == _END]
    configs = stops.read_configs(source.beside)
    ids = {token.text: token.id for token in added}
    texts = {token.id: token.text for token in added}
    return Vocabulary(
        kind="tekken",
        encoding="raw",
        pieces=pieces,
        added=added,
        stops=[*stops.stops_from(configs, ids, texts), *ends],
        logits=stops.logits_from(configs),
    )


def encoder(source: Source, vocabulary: Vocabulary) -> Encode:
    """Tokenize with ``tiktoken``, ids moved behind the control tokens."""
    document = _document(source)
    offset, size = _sizes(source, document)
    ranks = {piece: rank for rank, piece in enumerate(_ranked(source, document)[: size - offset])}
    controls = {token.text: token.id for token in vocabulary.added}
    inner = {text: len(ranks) + number for number, text in enumerate(controls)}
    encoding = library_encoding(source, str(document["config"]["pattern"]), ranks, inner)
    outer = {len(ranks) + number: index for number, index in enumerate(controls.values())}

    def encode(text: str) -> list[int]:
        found = encoding.encode(text, allowed_special="all")
        return [outer.get(index, index + offset) for index in found]

    return encode


def _document(source: Source) -> dict[str, Any]:
    document = stops.read_json(source.file)
    good = isinstance(document, dict) and isinstance(document.get("config"), dict)
    if not good or not isinstance(document.get("vocab"), list):
        raise broken(source.file, "no `config` and `vocab` of a tekken file")
    return dict(document)


def _sizes(source: Source, document: dict[str, Any]) -> tuple[int, int]:
    config = document["config"]
    offset = config.get("default_num_special_tokens")
    size = config.get("default_vocab_size")
    good = isinstance(offset, int) and isinstance(size, int) and 0 <= offset <= size <= MAX_ID
    if not good or not isinstance(config.get("pattern"), str):
        raise broken(source.file, "its config lacks the pattern or the sizes")
    return int(offset), int(size)


def _added(source: Source, document: dict[str, Any], offset: int) -> list[Added]:
    found = []
    for number, token in enumerate(document.get("special_tokens") or []):
        rank = token.get("rank") if isinstance(token, dict) else None
        text = token.get("token_str") if isinstance(token, dict) else None
        if not isinstance(rank, int) or not isinstance(text, str) or not 0 <= rank < offset:
            raise broken(source.file, f"special_tokens[{number}] is not a control token")
        found.append(Added(rank, text, bool(token.get("is_control", True))))
    return found


def _ranked(source: Source, document: dict[str, Any]) -> list[bytes]:
    pieces = []
    for number, token in enumerate(document["vocab"]):
        try:
            pieces.append(binascii.a2b_base64(token["token_bytes"]))
        except (TypeError, KeyError, ValueError):
            raise broken(source.file, f"vocab[{number}] has no token_bytes") from None
    return pieces
