"""The key is shown nowhere, however it comes back."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structag_cli.endpoint.key import REDACTED, Key, Redactor, read_key
from structag_cli.errors import UsageError

SECRET = 'sk-"a/b&c+0123'


@pytest.mark.parametrize(
    "echo",
    [
        SECRET,
        json.dumps(SECRET),
        json.dumps(SECRET).replace("/", "\\/"),
        "sk-&quot;a/b&amp;c+0123",
        "sk-%22a%2Fb%26c%2B0123",
        f"Bearer {SECRET}, twice: {SECRET}",
    ],
)
def test_every_spelling_goes(echo: str) -> None:
    clean = Key(SECRET).redact(echo)
    assert REDACTED in clean
    assert "0123" not in clean


def test_values_go_too() -> None:
    value = {"a": [SECRET, {"b": f"x{SECRET}"}], SECRET: 1, "n": None}
    assert Key(SECRET).redact_value(value) == {
        "a": [REDACTED, {"b": f"x{REDACTED}"}],
        REDACTED: 1,
        "n": None,
    }


def test_the_value_is_in_no_repr() -> None:
    assert SECRET not in repr(Key(SECRET))


@given(st.lists(st.integers(0, 60), max_size=8))
def test_a_key_in_pieces_is_never_shown(cuts: list[int]) -> None:
    text = f'sk-sk- {SECRET}{SECRET} sk-"a/ the end sk'
    places = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    redactor = Redactor(Key(SECRET))
    shown = "".join(redactor.feed(text[a:b]) for a, b in pairwise(places))
    assert shown + redactor.close() == text.replace(SECRET, REDACTED)


def test_the_beginning_of_a_key_that_an_end_cuts_goes_too() -> None:
    key = Key(SECRET)
    assert key.redact(f"x {SECRET[:-1]}") == f"x {REDACTED}"
    assert key.redact(f"x {SECRET[:8]}") == f"x {REDACTED}"
    assert key.redact("task-sk-") == "task-sk-"
    redactor = Redactor(key)
    assert redactor.feed(f"x {SECRET[:-1]}") == "x "
    assert redactor.close() == REDACTED


def test_without_a_key_nothing_waits() -> None:
    redactor = Redactor(Key())
    assert redactor.feed("abc") == "abc"
    assert Key().headers == {}


def test_a_placeholder_is_no_secret() -> None:
    assert Key("x").redact("exit") == "exit"
    assert Key("x").headers == {"Authorization": "Bearer x"}


def test_the_key_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", f"  {SECRET}\n")
    assert read_key("MY_KEY").headers == {"Authorization": f"Bearer {SECRET}"}
    assert read_key("NO_SUCH_KEY_HERE").headers == {}


@pytest.mark.parametrize("value", ["sk-1\n2", "schlüssel", "a b"])
def test_a_key_that_no_header_carries_is_refused_unshown(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("MY_KEY", value)
    with pytest.raises(UsageError) as caught:
        read_key("MY_KEY")
    assert value not in str(caught.value)
