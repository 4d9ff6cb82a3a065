"""Stop texts: found wherever tokens part them, and no part of the output."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from structag_cli.generate.stop_texts import StopTexts, cut_pieces

TEXT = st.text("ab¢", max_size=12)


@given(st.lists(TEXT, max_size=8), st.lists(st.text("ab¢", min_size=1, max_size=4), max_size=3))
def test_the_first_stop_text_ends_the_output_however_tokens_part_it(parts, stops):
    whole = "".join(parts)
    places = [whole.encode().find(stop.encode()) for stop in stops]
    wanted = min((p for p in places if p >= 0), default=None)
    looking, written, cut = StopTexts(stops), bytearray(), None
    for piece in whole.encode():  # a token a byte: the first match there is the first of all
        written.append(piece)
        cut = looking.found(written, 1)
        if cut is not None:
            break
    if wanted is None:
        assert cut is None
    else:
        assert cut is not None
        ends = [whole.encode().find(s.encode()) + len(s.encode()) for s in stops if s in whole]
        assert len(written) == min(ends)
        assert bytes(written[cut:]) in {stop.encode() for stop in stops}


@given(st.lists(st.binary(max_size=4), max_size=6), st.integers(0, 30))
def test_pieces_are_cut_at_a_byte(pieces, size):
    cut = cut_pieces(pieces, size)
    assert b"".join(cut) == b"".join(pieces)[:size]
    assert len(cut) == len(pieces)
    assert cut_pieces(pieces, None) == pieces
