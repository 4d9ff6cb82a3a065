"""Hugging Face tokenizers: ``tokenizer.json`` and the config files beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from structag_cli.errors import UsageError
from structag_cli.tokenizers import stops
from structag_cli.tokenizers.roundtrip import misread_pieces
from structag_cli.tokenizers.source import Encode, Source, broken
from structag_cli.tokenizers.spelling import Encoding, decode_piece, guess_encoding
from structag_cli.tokenizers.vocabulary import Added, Vocabulary, pieces_from

MAX_ID = 1 << 23
"""Larger ids are taken for a broken file: they would make masks of megabytes."""


def read(source: Source) -> Vocabulary:
    """The vocabulary of a ``tokenizer.json``.

    Raises:
        InputError: a file is unreadable or broken.
    """
    document = stops.read_json(source.file)
    if not isinstance(document, dict) or not isinstance(document.get("model"), dict):
        raise broken(source.file, "no object with a `model`")
    vocab = _vocab(document["model"], source.file)
    added = _added(document, source.file)
    encoding = _encoding(document, vocab)
    spelled = {index: decode_piece(piece, encoding) for piece, index in vocab.items()}
    spelled.update({token.id: decode_piece(token.text, encoding) for token in added})
    if not spelled:
        raise broken(source.file, "the vocabulary is empty")
    configs = stops.read_configs(source.beside)
    ids = {**vocab, **{token.text: token.id for token in added}}
    texts = {index: piece.decode("utf-8", "replace") for index, piece in spelled.items()}
    pieces = pieces_from(spelled)
    return Vocabulary(
        kind="hf",
        encoding=encoding,
        pieces=pieces,
        added=added,
        stops=stops.stops_from(configs, ids, texts),
        logits=stops.logits_from(configs),
        prefix_space=_prefix_space(document),
        misread=misread_pieces(pieces, _decoder(source)),
        notes=_notes(vocab),
    )


def encoder(source: Source, vocabulary: Vocabulary) -> Encode:
    """Tokenize with the ``tokenizers`` library; markers in the text become tokens."""
    tokenizer = _library(source)
    return lambda text: list(tokenizer.encode(text, add_special_tokens=False).ids)


def _library(source: Source) -> Any:
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise UsageError(
            "the package `tokenizers` is missing", mend="pip install 'structag[tokenizers]'"
        ) from None
    try:
        return Tokenizer.from_file(str(source.file))
    except Exception as err:
        raise broken(source.file, f"the tokenizers library refuses it: {err}") from None


def _decoder(source: Source) -> Any:
    tokenizer = _library(source)
    return lambda batch: tokenizer.decode_batch(batch, skip_special_tokens=False)


def _vocab(model: dict[str, Any], file: Path) -> dict[str, int]:
    """Piece to id, from a table (BPE, WordPiece, WordLevel) or a list (Unigram)."""
    vocab = model.get("vocab")
    if isinstance(vocab, list):
        try:
            return {str(piece): index for index, (piece, _score) in enumerate(vocab)}
        except (TypeError, ValueError):
            raise broken(file, "model.vocab is not a list of [piece, score]") from None
    if not isinstance(vocab, dict):
        raise broken(file, "no model.vocab")
    for piece, index in vocab.items():
        _check_id(index, f"model.vocab[{piece!r}]", file)
    return vocab


def _check_id(index: Any, where: str, file: Path) -> None:
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index <= MAX_ID:
        raise broken(file, f"{where} is {index!r}, not a token id")


def _added(document: dict[str, Any], file: Path) -> list[Added]:
    found = []
    for number, token in enumerate(document.get("added_tokens") or []):
        where = f"added_tokens[{number}]"
        if not isinstance(token, dict) or not isinstance(token.get("content"), str):
            raise broken(file, f"{where} has no content")
        _check_id(token.get("id"), f"{where}.id", file)
        found.append(Added(token["id"], token["content"], bool(token.get("special"))))
    return found


def _parts(node: Any) -> Iterator[dict[str, Any]]:
    """A normalizer, pre-tokenizer or decoder, and those inside a sequence."""
    if isinstance(node, dict):
        yield node
        for key in ("normalizers", "pretokenizers", "decoders"):
            for child in node.get(key) or []:
                yield from _parts(child)


def _types(document: dict[str, Any], key: str) -> set[str]:
    return {str(part.get("type")) for part in _parts(document.get(key))}


def _encoding(document: dict[str, Any], vocab: dict[str, int]) -> Encoding:
    """The vocabulary's own word counts most, as in xgrammar."""
    guess = guess_encoding(vocab)
    if guess is not None:
        return guess
    decoders = _types(document, "decoder")
    if "ByteFallback" in decoders:
        return "byte-fallback"
    return "byte-level" if "ByteLevel" in decoders else "raw"


def _prefix_space(document: dict[str, Any]) -> bool:
    for part in _parts(document.get("normalizer")):
        if part.get("type") == "Prepend":
            return True
    for part in _parts(document.get("pre_tokenizer")):
        if part.get("type") == "Metaspace" and part.get("prepend_scheme", "always") != "never":
            return True
        if part.get("type") == "ByteLevel" and part.get("add_prefix_space"):
            return True
    return False


def _notes(vocab: dict[str, int]) -> list[str]:
    twice = len(vocab) - len(set(vocab.values()))
    return [f"{twice} pieces share their id with another"] if twice else []
