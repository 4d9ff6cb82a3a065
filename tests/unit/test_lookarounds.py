"""Patterns taken apart at what they look at."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structag_cli.lint.deep.probe import probe
from structag_cli.lookarounds import lookarounds


@pytest.mark.parametrize(
    ("pattern", "bodies", "ahead", "rest"),
    [
        ("^(?=.*[A-Z])(?=.*\\d).{8,}$", (".*[A-Z]", ".*\\d"), True, "^.{8,}$"),
        ("^(?!(a|b)c).*$", ("(a|b)c",), True, "^.*$"),
        ("(?<=x)y(?<!z)", ("x", "z"), False, "y"),
        ("[(?=]\\(?=a(?:b)", (), False, "[(?=]\\(?=a(?:b)"),
        ("(?=[)])a", ("[)]",), True, "a"),
        ("(?=a", ("a",), True, ""),
        ("[a\\", (), False, "[a\\"),
    ],
)
def test_parts(pattern, bodies, ahead, rest):
    found = lookarounds(pattern)
    assert (found.bodies, found.ahead, found.rest) == (bodies, ahead, rest)


@given(st.text(alphabet="()[]\\?=!<a|*", max_size=14))
def test_a_pattern_without_them_stays_and_a_readable_one_loses_them(pattern):
    found = lookarounds(pattern)
    if not found.bodies:
        assert found.rest == pattern
    assert lookarounds(found.rest).bodies == () or "(?" in found.rest
    try:
        re.compile(pattern)
    except (re.error, RecursionError):
        return
    assert not found.ahead or "(?=" in pattern or "(?!" in pattern


@pytest.mark.parametrize(
    "pattern", ["^(?=.*[A-Z])(?=.*\\d).{8,}$", "^(?!(ab|cd)x).*$", "^(?=.*(x|y)).+$"]
)
def test_a_lookahead_that_is_dropped_has_a_witness(pattern):
    found = probe({"type": "string", "pattern": pattern}, "json", 2.0)
    assert [m for m in found.mismatches if m.effect == "drops"]
