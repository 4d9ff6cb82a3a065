"""tiktoken files (``base64 rank`` a line) with the special tokens that stand elsewhere."""

from __future__ import annotations

import base64
import binascii
import unicodedata
from collections.abc import Mapping
from typing import Any

from structag_cli.errors import UsageError
from structag_cli.tokenizers import patterns, recipes, stops
from structag_cli.tokenizers.hf import MAX_ID
from structag_cli.tokenizers.source import Encode, Source, broken, unreadable
from structag_cli.tokenizers.vocabulary import Added, Stop, Vocabulary, pieces_from


def read(source: Source) -> Vocabulary:
    """The vocabulary of a tiktoken file, its package or the configs beside it.

    Raises:
        InputError: a file is unreadable or broken.
    """
    ranks = read_ranks(source)
    configs = stops.read_configs(source.beside)
    recipe = recipes.for_source(source)
    added = recipe.added() if recipe else _added_from(configs)
    spelled = {rank: piece for piece, rank in ranks.items()}
    spelled.update({token.id: token.text.encode() for token in added})
    ids = {token.text: token.id for token in added}
    texts = {token.id: token.text for token in added}
    found = stops.stops_from(configs, ids, texts)
    if recipe and not found:
        found = [Stop(ids[text], text, recipe.stop_source) for text in recipe.stops]
    return Vocabulary(
        kind="tiktoken",
        encoding="raw",
        pieces=pieces_from(spelled),
        added=added,
        stops=found,
        logits=stops.logits_from(configs),
        notes=_notes(source, added),
    )


def encoder(source: Source, vocabulary: Vocabulary) -> Encode:
    """Tokenize with the ``tiktoken`` library."""
    recipe = recipes.for_source(source)
    special = {token.text: token.id for token in vocabulary.added}
    pattern = recipe.pattern() if recipe else patterns.for_file(source.file.name)[0]
    encoding = library_encoding(source, pattern, read_ranks(source), special)
    normalize = recipe is not None and recipe.nfc

    def encode(text: str) -> list[int]:
        text = unicodedata.normalize("NFC", text) if normalize else text
        return list(encoding.encode(text, allowed_special="all"))

    return encode


def library_encoding(
    source: Source, pattern: str, ranks: Mapping[bytes, int], special: Mapping[str, int]
) -> Any:
    """A ``tiktoken.Encoding``.

    Raises:
        UsageError: the library is missing.
        InputError: the library could not work with these ranks.
    """
    try:
        import tiktoken
    except ImportError:
        raise UsageError(
            "the package `tiktoken` is missing", mend="pip install 'structag[tokenizers]'"
        ) from None
    _check_ranks(source, ranks, special)
    try:
        return tiktoken.Encoding(
            source.name, pat_str=pattern, mergeable_ranks=dict(ranks), special_tokens=dict(special)
        )
    except (ValueError, KeyError, OverflowError) as err:
        raise broken(source.file, f"the tiktoken library refuses it: {err}") from None


def _check_ranks(source: Source, ranks: Mapping[bytes, int], special: Mapping[str, int]) -> None:
    """What the library takes for granted; it panics where it does not hold."""
    missing = [value for value in range(256) if bytes([value]) not in ranks]
    if missing:
        raise broken(source.file, f"byte 0x{missing[0]:02x} has no token, so text has no ids")
    owners: dict[int, bytes] = {}
    markers = {text.encode("utf-8", "replace"): index for text, index in special.items()}
    for piece, index in (*ranks.items(), *markers.items()):
        if index in owners:
            raise broken(source.file, f"id {index} is both {owners[index]!r} and {piece!r}")
        owners[index] = piece


def read_ranks(source: Source) -> dict[bytes, int]:
    """Piece to rank.

    Raises:
        InputError: the file is unreadable or a line is not ``base64 rank``.
    """
    try:
        lines = source.file.read_bytes().split(b"\n")
    except OSError as err:
        raise unreadable(source.file, err) from None
    decode = binascii.a2b_base64
    ranks: dict[bytes, int] = {}
    try:
        for line in lines:
            if line:
                piece, rank = line.split()
                ranks[decode(piece)] = int(rank)
    except ValueError:
        number = lines.index(line) + 1
        raise broken(source.file, f"line {number} is not `base64 rank`") from None
    if not ranks:
        raise broken(source.file, "no pieces in it")
    if not 0 <= min(ranks.values()) <= max(ranks.values()) <= MAX_ID:
        raise broken(source.file, "a rank is not a token id")
    return ranks


def looks_like(head: bytes) -> bool:
    """Whether the first line of a file is one of a tiktoken file."""
    parts = head.split(b"\n", 1)[0].split()
    if len(parts) != 2 or not parts[1].isdigit():
        return False
    try:
        base64.b64decode(parts[0], validate=True)
    except ValueError:
        return False
    return True


def _added_from(configs: Mapping[str, Mapping[str, Any]]) -> list[Added]:
    """The special tokens that ``tokenizer_config.json`` lists by id."""
    table = configs.get("tokenizer_config.json", {}).get("added_tokens_decoder")
    found = []
    for key, value in (table if isinstance(table, dict) else {}).items():
        content = value.get("content") if isinstance(value, dict) else None
        if isinstance(content, str) and str(key).isdigit() and int(key) <= MAX_ID:
            found.append(Added(int(key), content, bool(value.get("special"))))
    return found


def _notes(source: Source, added: list[Added]) -> list[str]:
    notes = []
    if not added:
        notes.append(
            "the file has no special tokens, and no tokenizer_config.json lists them beside it"
        )
    if recipes.for_source(source) is None and not patterns.for_file(source.file.name)[1]:
        notes.append("how text is split before merging is not in the file: split as cl100k does")
    return notes
