"""Texts at which an output ends, as ``stop`` of OpenAI's API: they are not part of it."""

from __future__ import annotations

from collections.abc import Sequence


class StopTexts:
    """Finds stop texts in an output that grows.

    Args:
        texts: none of them empty.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = tuple(text.encode() for text in texts)
        self._longest = max(map(len, self._texts), default=0)

    def __bool__(self) -> bool:
        return bool(self._texts)

    def found(self, written: bytes | bytearray, added: int) -> int | None:
        """The byte at which the output ends, if its last ``added`` bytes complete a text."""
        start = max(len(written) - added - self._longest + 1, 0)
        places = (written.find(text, start) for text in self._texts)
        return min((place for place in places if place >= 0), default=None)


def cut_pieces(pieces: Sequence[bytes], size: int | None) -> list[bytes]:
    """The first ``size`` bytes of tokens' pieces; all of them for ``None``."""
    if size is None:
        return list(pieces)
    found = []
    for piece in pieces:
        found.append(piece[: max(size, 0)])
        size -= len(piece)
    return found
