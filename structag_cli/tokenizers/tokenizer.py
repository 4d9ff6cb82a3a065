"""An opened tokenizer: its vocabulary, prepared once and kept on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from importlib import import_module
from typing import cast

import msgspec

from structag_cli.errors import StructagError, UsageError
from structag_cli.tokenizers.cache import DiskCache
from structag_cli.tokenizers.hf import MAX_ID
from structag_cli.tokenizers.resolve import resolve
from structag_cli.tokenizers.source import Encode, Loader, Source, broken
from structag_cli.tokenizers.vocabulary import Kind, Vocabulary, looked_over

_MODULES: dict[Kind, str] = {
    "hf": "hf",
    "tiktoken": "tiktoken_file",
    "tekken": "tekken",
    "sentencepiece": "spm",
    "gguf": "gguf",
}
_MEMO_BYTES = 4096


class Tokenizer:
    """A tokenizer at hand.

    Attributes:
        name: as the user gave it.
        source: its files.
        vocabulary: its pieces, markers and stops.
        size: ids that the model can choose among: the width of its logits.
    """

    def __init__(
        self, source: Source, vocabulary: Vocabulary, size: int, cache: DiskCache, digest: str
    ) -> None:
        self.name = source.name
        self.source = source
        self.vocabulary = vocabulary
        self.size = size
        self._cache = cache
        self._digest = digest
        self._encode: Encode | None = None

    @property
    def pieces(self) -> list[bytes]:
        """Bytes by id, up to the model's width; empty for padding and holes."""
        known = self.vocabulary.pieces
        if len(known) >= self.size:
            return known[: self.size]
        return known + [b""] * (self.size - len(known))

    @property
    def padding(self) -> range:
        """Ids that the model's output has and the tokenizer has not."""
        return range(min(self.vocabulary.size, self.size), self.size)

    def of_width(self, size: int) -> Tokenizer:
        """The same tokenizer over a model whose logits have another width.

        Raises:
            UsageError: no model's logits are so wide.
        """
        width = _width(self.vocabulary, size)
        return Tokenizer(self.source, self.vocabulary, width, self._cache, self._digest)

    def stop_ids(self) -> list[int]:
        """Stop ids within the model's width."""
        return [index for index in self.vocabulary.stop_ids() if index < self.size]

    def text(self, index: int) -> str:
        """What id ``index`` spells, for people: bytes that are no character as ``\\xNN``."""
        return self.vocabulary.pieces[index].decode("utf-8", "backslashreplace")

    def encode(self, text: str) -> list[int]:
        """The ids of a text; a marker in it becomes its own token.

        Short texts are remembered on disk, since building the encoder costs more than
        all else that a report does.

        Raises:
            StructagError: the library that tokenizes is missing or refuses the file.
        """
        data = text.encode("utf-8", "surrogatepass")
        key = hashlib.sha256(self._digest.encode() + b"\0encode\0" + data).hexdigest()[:40]
        if len(data) <= _MEMO_BYTES:
            kept = self._remembered(key)
            if kept is not None:
                return kept
        ids = self.encoder()(text)
        if len(data) <= _MEMO_BYTES:
            self._cache.store(key, msgspec.msgpack.encode(ids))
        return ids

    def encoder(self) -> Encode:
        """The tokenizing function itself, for loops that encode many texts.

        Raises:
            StructagError: the library that tokenizes is missing or refuses the file.
        """
        if self._encode is None:
            self._encode = _loader(self.source.kind).encoder(self.source, self.vocabulary)
        return self._encode

    def _remembered(self, key: str) -> list[int] | None:
        content = self._cache.load(key)
        try:
            return None if content is None else msgspec.msgpack.decode(content, type=list[int])
        except msgspec.DecodeError:
            return None


def open_tokenizer(
    name: str,
    *,
    cache: DiskCache,
    vocab_size: int | None = None,
    allow_download: bool = False,
    say: Callable[[str], None] = lambda _text: None,
) -> Tokenizer:
    """Find, read and prepare a tokenizer.

    Args:
        name: a packaged name, a folder, a file, or a hub id in the local cache.
        cache: where prepared vocabularies are kept.
        vocab_size: the width of the model's logits, where it differs from what the files say.
        allow_download: fetch a hub id that is not in the local cache.
        say: told what takes long.

    Raises:
        StructagError: there is no such tokenizer, or its files are broken.
    """
    source = resolve(name, allow_download=allow_download)
    digest = source.digest()
    vocabulary = _kept(cache, digest)
    if vocabulary is None:
        say(f"reading the tokenizer {name}")
        vocabulary = looked_over(_read(source))
        cache.store(digest, msgspec.msgpack.encode(vocabulary))
    return Tokenizer(source, vocabulary, _width(vocabulary, vocab_size), cache, digest)


def _width(vocabulary: Vocabulary, asked: int | None) -> int:
    if asked is None:
        return max(vocabulary.size, vocabulary.logits or 0)
    if not 0 < asked <= MAX_ID:
        raise UsageError(f"--vocab-size {asked}: not the width of a model's logits")
    return asked


def _kept(cache: DiskCache, digest: str) -> Vocabulary | None:
    content = cache.load(digest)
    try:
        return None if content is None else msgspec.msgpack.decode(content, type=Vocabulary)
    except (msgspec.DecodeError, msgspec.ValidationError):
        return None


def _loader(kind: Kind) -> Loader:
    return cast(Loader, import_module(f"structag_cli.tokenizers.{_MODULES[kind]}"))


def _read(source: Source) -> Vocabulary:
    try:
        return _loader(source.kind).read(source)
    except StructagError:
        raise
    except RecursionError:
        raise broken(source.file, "nested too deeply") from None
    except (TypeError, ValueError, KeyError, AttributeError) as err:
        raise broken(source.file, f"not the shape of a tokenizer ({err})") from None
