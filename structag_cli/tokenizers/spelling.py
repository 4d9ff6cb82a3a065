"""How vocabulary files spell bytes, and back."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Literal

Encoding = Literal["raw", "byte-level", "byte-fallback"]

_SPACE = "\u2581"


@cache
def byte_of_char() -> dict[str, int]:
    """GPT-2's table: the 256 characters that stand for bytes in byte-level vocabularies."""
    kept = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    table = {chr(value): value for value in kept}
    shifted = (value for value in range(256) if value not in set(kept))
    table.update({chr(256 + index): value for index, value in enumerate(shifted)})
    return table


@cache
def char_of_byte() -> dict[int, str]:
    """The same table the other way round."""
    return {value: char for char, value in byte_of_char().items()}


def from_byte_level(piece: str) -> bytes:
    """A byte-level piece as bytes; a piece with any other character stands for itself."""
    table = byte_of_char()
    try:
        return bytes([table[char] for char in piece])
    except KeyError:
        return piece.encode("utf-8", "replace")


def from_byte_fallback(piece: str) -> bytes:
    """A SentencePiece-like piece: ``<0x0A>`` is a byte, U+2581 a space."""
    if len(piece) == 6 and piece.startswith("<0x") and piece.endswith(">"):
        try:
            return bytes([int(piece[3:5], 16)])
        except ValueError:
            pass
    return piece.replace(_SPACE, " ").encode("utf-8", "replace")


def decode_piece(piece: str, encoding: Encoding) -> bytes:
    """The bytes of a piece, read as xgrammar reads it."""
    if encoding == "byte-level":
        return from_byte_level(piece)
    if encoding == "byte-fallback":
        return from_byte_fallback(piece)
    return piece.encode("utf-8", "replace")


def guess_encoding(vocab: Iterable[str]) -> Encoding | None:
    """What the vocabulary itself says of its encoding, as xgrammar 0.2.9 judges it.

    128 of the 256 ``<0x..>`` pieces make it byte-fallback; 128 of GPT-2's characters as
    pieces of their own, and 99 % of pieces written with them, byte-level.
    """
    known = vocab if isinstance(vocab, dict | set) else set(vocab)
    if sum(f"<0x{value:02X}>" in known for value in range(256)) >= 128:
        return "byte-fallback"
    table = byte_of_char()
    if sum(char in known for char in table) < 128:
        return None
    chars = table.keys()
    fitting = sum(chars >= set(piece) for piece in known)
    return "byte-level" if fitting >= 0.99 * len(known) else None
