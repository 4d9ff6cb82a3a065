"""Server-sent events out of bytes, wherever the network cuts them."""

from __future__ import annotations

from dataclasses import dataclass

MAX_EVENT = 16 << 20
"""Most bytes of one event."""
_BOM = b"\xef\xbb\xbf"


class EventTooBig(Exception):
    """An event has more bytes than ``MAX_EVENT``."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event. ``whole`` is false where the stream ended before the event did."""

    data: str
    name: str = "message"
    whole: bool = True


class EventReader:
    """Puts events together from pieces of a stream.

    Lines end in LF, CRLF or CR; comments and fields that are not ``event`` or ``data``
    are nothing to us.
    """

    def __init__(self) -> None:
        self._line = bytearray()
        self._data: list[bytes] = []
        self._size = 0
        self._name = ""
        self._after_cr = False
        self._first = True

    def feed(self, piece: bytes) -> list[Event]:
        """The events that this piece completes.

        Raises:
            EventTooBig: one does not end.
        """
        if not piece:
            return []
        if self._after_cr and piece.startswith(b"\n"):
            piece = piece[1:]
        self._after_cr = piece.endswith(b"\r")
        events: list[Event] = []
        for part in piece.splitlines(keepends=True):
            self._line += part
            self._size += len(part)
            if self._size > MAX_EVENT:
                raise EventTooBig
            if part.endswith((b"\n", b"\r")):
                events += self._end_line()
        return events

    def close(self) -> list[Event]:
        """What the stream ended in the middle of."""
        if self._line:
            self._end_line()
        left = self._event(whole=False)
        return left

    def _end_line(self) -> list[Event]:
        line = bytes(self._line).rstrip(b"\r\n")
        self._line.clear()
        if self._first:
            line, self._first = line.removeprefix(_BOM), False
        if not line:
            return self._event(whole=True)
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            self._data.append(value)
        elif field == b"event":
            self._name = value.decode("utf-8", "replace")
        elif not self._data:
            # Keep-alive comments must not add up to an event that is too big.
            self._size = 0
        return []

    def _event(self, *, whole: bool) -> list[Event]:
        data, name = self._data, self._name or "message"
        self._data, self._name, self._size = [], "", 0
        if not data:
            return []
        return [Event(b"\n".join(data).decode("utf-8", "replace"), name, whole)]
