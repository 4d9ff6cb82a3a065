"""What a tokenizer is to a mask: the bytes of every id, its markers and its stops."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["hf", "tiktoken", "tekken", "sentencepiece", "gguf"]


class Added(msgspec.Struct, frozen=True):
    """A token that stands beside the learnt vocabulary, matched whole in text.

    ``special`` is the tokenizer's own flag (special tokens vanish when decoding for
    people); ``None`` when the file does not say.
    """

    id: int
    text: str
    special: bool | None


class Stop(msgspec.Struct, frozen=True):
    """One id that some file says ends the output."""

    id: int
    text: str
    source: str


class Misread(msgspec.Struct, frozen=True):
    """An id whose piece, as xgrammar reads the vocabulary, is not what it decodes to."""

    id: int
    piece: bytes
    decoded: str


class Vocabulary(msgspec.Struct, frozen=True):
    """A tokenizer's vocabulary, prepared for masks.

    ``pieces[i]`` is the text of id ``i`` in bytes; empty where no token has that id.
    ``logits`` is the model's output width where a file gives one. ``encoding`` says how
    the file spells its pieces. ``notes`` are things a person should know about how the
    file was read.
    """

    kind: Kind
    encoding: Literal["raw", "byte-level", "byte-fallback"]
    pieces: list[bytes]
    added: list[Added]
    stops: list[Stop]
    logits: int | None = None
    prefix_space: bool = False
    misread: list[Misread] = []
    notes: list[str] = []
    holes: list[int] = []
    twins: list[list[int]] = []

    @property
    def size(self) -> int:
        """How many ids the tokenizer has, holes included."""
        return len(self.pieces)

    def stop_ids(self) -> list[int]:
        """Every id that some file calls a stop, each once, in order of the sources."""
        return list(dict.fromkeys(stop.id for stop in self.stops))

    def added_by_id(self) -> dict[int, Added]:
        """The added tokens, by id."""
        return {token.id: token for token in self.added}


def pieces_from(items: dict[int, bytes]) -> list[bytes]:
    """Pieces in order of their ids, holes as empty bytes."""
    size = max(items, default=-1) + 1
    return [items.get(index, b"") for index in range(size)]


def looked_over(vocabulary: Vocabulary) -> Vocabulary:
    """The same with its holes and twins, which take a while to find."""
    seen: dict[bytes, list[int]] = {}
    for index, piece in enumerate(vocabulary.pieces):
        seen.setdefault(piece, []).append(index)
    holes = seen.pop(b"", [])
    twins = [ids for ids in seen.values() if len(ids) > 1]
    return msgspec.structs.replace(vocabulary, holes=holes, twins=twins)
