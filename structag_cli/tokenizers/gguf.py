"""The tokenizer that a GGUF file carries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from structag_cli.errors import UsageError
from structag_cli.tokenizers import patterns
from structag_cli.tokenizers.gguf_file import read_metadata
from structag_cli.tokenizers.source import Encode, Source, broken
from structag_cli.tokenizers.spelling import Encoding, decode_piece
from structag_cli.tokenizers.vocabulary import Added, Stop, Vocabulary

_UNKNOWN, _CONTROL, _USER_DEFINED, _UNUSED = 2, 3, 4, 5
_STOP_KEYS = ("eos_token_id", "eot_token_id", "eom_token_id")
_PREFIX = "tokenizer.ggml."


def read(source: Source) -> Vocabulary:
    """The vocabulary of a GGUF file.

    Raises:
        InputError: the file is unreadable, damaged or has no tokenizer.
    """
    data = read_metadata(source.file)
    tokens, types = _tokens(source, data)
    encoding = _encoding(data)
    pieces = [
        b"" if kind == _UNUSED else decode_piece(text, _spelling(encoding, kind))
        for text, kind in zip(tokens, types, strict=True)
    ]
    added = [
        Added(index, tokens[index], kind != _USER_DEFINED)
        for index, kind in enumerate(types)
        if kind in (_CONTROL, _USER_DEFINED)
    ]
    return Vocabulary(
        kind="gguf",
        encoding=encoding,
        pieces=pieces,
        added=added,
        stops=_stops(data, tokens),
        prefix_space=bool(data.get(_PREFIX + "add_space_prefix", encoding == "byte-fallback")),
        notes=_notes(data),
    )


def encoder(source: Source, vocabulary: Vocabulary) -> Encode:
    """Tokenize with the ``tokenizers`` library, built from the file's merges."""
    try:
        import tokenizers  # noqa: F401
    except ImportError:
        raise UsageError(
            "the package `tokenizers` is missing", mend="pip install 'structag[tokenizers]'"
        ) from None
    data = read_metadata(source.file)
    tokens, _types = _tokens(source, data)
    tokenizer = _library(source, data, tokens, vocabulary)
    return lambda text: list(tokenizer.encode(text, add_special_tokens=False).ids)


def _tokens(source: Source, data: Mapping[str, Any]) -> tuple[list[str], list[int]]:
    tokens = data.get(_PREFIX + "tokens")
    if not isinstance(tokens, list) or not tokens or not isinstance(tokens[0], str):
        raise broken(source.file, "it carries no tokenizer", "name a file of the whole model")
    types = data.get(_PREFIX + "token_type")
    if not isinstance(types, list):
        types = [1] * len(tokens)
    if len(types) != len(tokens):
        raise broken(source.file, f"{len(tokens)} tokens and {len(types)} token types")
    return tokens, types


def _encoding(data: Mapping[str, Any]) -> Encoding:
    return "byte-level" if data.get(_PREFIX + "model") == "gpt2" else "byte-fallback"


def _spelling(encoding: Encoding, kind: int) -> Encoding:
    """Markers are spelled as they are; the learnt pieces by the model's encoding."""
    return "raw" if encoding == "byte-level" and kind in (_CONTROL, _USER_DEFINED) else encoding


def _stops(data: Mapping[str, Any], tokens: list[str]) -> list[Stop]:
    found = []
    for key in _STOP_KEYS:
        index = data.get(_PREFIX + key)
        if isinstance(index, int) and 0 <= index < len(tokens):
            found.append(Stop(index, tokens[index], _PREFIX + key))
    return found


def _notes(data: Mapping[str, Any]) -> list[str]:
    pre = data.get(_PREFIX + "pre")
    if data.get(_PREFIX + "model") == "gpt2" and pre not in patterns.GGUF:
        return [f"text is split as GPT-2 does: the splitting {pre!r} is not known here"]
    return []


def _library(
    source: Source, data: Mapping[str, Any], tokens: list[str], vocabulary: Vocabulary
) -> Any:
    from tokenizers import AddedToken, Tokenizer, models

    vocab = {text: index for index, text in enumerate(tokens)}
    byte_level = vocabulary.encoding == "byte-level"
    merges = _merges(data) if byte_level else _merges_by_score(data, vocab)
    try:
        model = models.BPE(vocab=vocab, merges=merges, byte_fallback=not byte_level)
    except Exception as err:
        raise broken(source.file, f"its merges do not fit its tokens: {err}") from None
    tokenizer = Tokenizer(model)
    _split(tokenizer, data, byte_level, vocabulary.prefix_space)
    tokenizer.add_tokens(
        [AddedToken(a.text, normalized=False, special=bool(a.special)) for a in vocabulary.added]
    )
    return tokenizer


def _split(tokenizer: Any, data: Mapping[str, Any], byte_level: bool, prefix_space: bool) -> None:
    from tokenizers import Regex, normalizers, pre_tokenizers

    if not byte_level:
        first = [normalizers.Prepend("\u2581")] if prefix_space else []
        tokenizer.normalizer = normalizers.Sequence([*first, normalizers.Replace(" ", "\u2581")])
        return
    pre = str(data.get(_PREFIX + "pre", "default"))
    pattern = Regex(patterns.GGUF.get(pre, patterns.GPT2))
    digits = [pre_tokenizers.Digits(individual_digits=True)] if pre == "smollm" else []
    steps = [
        *digits,
        pre_tokenizers.Split(pattern, "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(steps)


def _merges(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    merges = data.get(_PREFIX + "merges")
    found = []
    for line in merges if isinstance(merges, list) else []:
        left, space, right = str(line).partition(" ")
        if space:
            found.append((left, right))
    return found


def _merges_by_score(data: Mapping[str, Any], vocab: dict[str, int]) -> list[tuple[str, str]]:
    """SentencePiece's merges, which are only implied: every split of a piece into two."""
    scores = data.get(_PREFIX + "scores")
    if not isinstance(scores, list) or len(scores) != len(vocab):
        return []
    found = []
    for piece, index in vocab.items():
        for cut in range(1, len(piece)):
            left, right = piece[:cut], piece[cut:]
            if left in vocab and right in vocab:
                found.append((-scores[index], vocab[left], vocab[right], left, right))
    return [(left, right) for _score, _l, _r, left, right in sorted(found)]
