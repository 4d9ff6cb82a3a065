"""Stop texts: found wherever tokens part them, and no part of the output."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structag_cli.generate.run import Generator
from structag_cli.generate.settings import Decoding
from structag_cli.generate.stop_texts import StopTexts, cut_pieces
from tests.byte_model import byte_model
from tests.unit.generate.test_loop import job

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


PATHS = (
    Decoding(max_new_tokens=700, jump_forward=False, draft=0),
    Decoding(max_new_tokens=700, draft=0),
    Decoding(max_new_tokens=700, draft=32),
)


@pytest.mark.parametrize("stop", ["arguments", '"on": ', "celsius", "never said"])
@pytest.mark.parametrize("engine", ["loop", "hf"])
def test_every_path_ends_at_the_same_place(stop, engine):
    generator = Generator(byte_model())
    whole = generator.generate([job("hermes")], PATHS[0])[0].text
    for settings in PATHS if engine == "loop" else PATHS[:1]:
        (cut,) = generator.generate([job("hermes")], replace(settings, stop=(stop,)), engine=engine)
        assert cut.text == whole.partition(stop)[0]
        assert (cut.finish_reason == "stop") == (stop in whole or cut.accepted)
        assert "".join(segment.text for segment in cut.segments) == cut.text
        if stop in whole:
            assert not cut.accepted
            assert "the tag does not accept the output" in cut.broken
