"""Events come out the same, wherever the bytes are cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structag_cli.endpoint import sse
from structag_cli.endpoint.sse import Event, EventReader, EventTooBig

STREAM = (
    b'\xef\xbb\xbf: keep-alive\n\ndata: {"a": 1}\r\n\r\nevent: error\r\ndata: one\rdata:two\r\r'
    b"id: 4\nretry: 10\ndata: caf\xc3\xa9\n\n: x\r\n\r\ndata: [DONE]\n\n"
)
EVENTS = [
    Event('{"a": 1}'),
    Event("one\ntwo", "error"),
    Event("café"),
    Event("[DONE]"),
]


def read(pieces: list[bytes]) -> list[Event]:
    reader = EventReader()
    return [event for piece in pieces for event in reader.feed(piece)] + reader.close()


def test_empty_pieces_are_nothing() -> None:
    pieces = [bytes([byte]) for byte in STREAM]
    assert read([part for piece in pieces for part in (b"", piece)]) == EVENTS


def test_in_one_piece() -> None:
    assert read([STREAM]) == EVENTS


@pytest.mark.parametrize("at", range(1, len(STREAM)))
def test_in_two_pieces(at: int) -> None:
    assert read([STREAM[:at], STREAM[at:]]) == EVENTS


def test_byte_by_byte() -> None:
    assert read([bytes([byte]) for byte in STREAM]) == EVENTS


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_in_many_pieces(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(STREAM)]
    assert read([STREAM[a:b] for a, b in pairwise(places)]) == EVENTS


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n", b"\r"])
def test_an_end_within_an_event_is_told(end: bytes) -> None:
    assert read([b"data: half" + end]) == [Event("half", whole=False)]


def test_empty_lines_are_no_events() -> None:
    assert read([b"\n\n\r\n\r\r\n"]) == []


def test_an_event_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "MAX_EVENT", 100)
    reader = EventReader()
    reader.feed(b"data: " + b"0123456789" * 9)
    with pytest.raises(EventTooBig):
        reader.feed(b"0123456789")


def test_comments_for_hours_are_no_big_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "MAX_EVENT", 100)
    reader = EventReader()
    for _ in range(50):
        assert reader.feed(b": keep-alive\n") == []
    assert reader.feed(b"data: x\n\n") == [Event("x")]
