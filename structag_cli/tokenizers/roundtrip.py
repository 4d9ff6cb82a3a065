"""Do the pieces say what the tokenizer decodes? Found by decoding every id."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from structag_cli.tokenizers.vocabulary import Misread

DecodeBatch = Callable[[list[list[int]]], Sequence[str]]
"""Lists of ids to their texts."""

LIMIT = 2000
"""How many wrong pieces are kept; more say nothing new."""

_REPLACED = "\ufffd"


def misread_pieces(pieces: Sequence[bytes], decode: DecodeBatch) -> list[Misread]:
    """Ids whose piece differs from what the tokenizer's own decoder says.

    Each id is decoded behind an anchor token, since decoders strip a leading space.
    Pieces that are not whole characters cannot be compared so and are left out.
    """
    ids = [index for index, piece in enumerate(pieces) if piece]
    anchor = _anchor(pieces)
    before = [] if anchor is None else [anchor]
    head = decode([before])[0] if before else ""
    found: list[Misread] = []
    for index, text in zip(ids, decode([[*before, index] for index in ids]), strict=True):
        decoded = text[len(head) :] if text.startswith(head) else text
        if _differs(pieces[index], decoded):
            found.append(Misread(index, pieces[index], decoded))
            if len(found) == LIMIT:
                break
    return found


def _differs(piece: bytes, decoded: str) -> bool:
    if _REPLACED in decoded:
        return False
    try:
        return piece.decode() != decoded
    except UnicodeDecodeError:
        return False


def _anchor(pieces: Sequence[bytes]) -> int | None:
    """An ordinary letter's id, to decode behind."""
    wanted = {b"a", b"x", b"e"}
    return next((index for index, piece in enumerate(pieces) if piece in wanted), None)
