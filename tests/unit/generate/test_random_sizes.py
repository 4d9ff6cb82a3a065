"""Which settings of ``random:...`` make a model."""

from __future__ import annotations

import pytest

from structag_cli.errors import UsageError
from structag_cli.generate.random_sizes import RandomSizes, read_random


def test_settings_are_read() -> None:
    read = read_random("random:smollm2,hidden=32,layers=1,closing=8")
    assert read == ("smollm2", RandomSizes(hidden=32, layers=1, closing=8))
    assert read_random("random:a/b.json") == ("a/b.json", RandomSizes())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("hidden=0", "hidden is 0"),
        ("layers=0", "layers is 0"),
        ("heads=0", "heads is 0"),
        ("hidden=7", "hidden=8"),
        ("hidden=32,heads=5", "hidden=40"),
        ("hidden=4,heads=4", "hidden=8"),
        ("hidden=1000000000000", "too large"),
        (f"seed={1 << 64}", "too large"),
        ("closing=" + "9" * 5000, "too large"),
        ("hidden=-5", "no setting"),
        ("hidden=²", "no setting"),
        ("hidden=", "no setting"),
        ("", "no setting"),
    ],
)
def test_what_makes_no_model_is_said(settings, message) -> None:
    with pytest.raises(UsageError) as caught:
        read_random(f"random:smollm2,{settings}")
    assert message in str(caught.value)


def test_a_tokenizer_has_to_be_named() -> None:
    with pytest.raises(UsageError, match="names no tokenizer"):
        read_random("random:")
