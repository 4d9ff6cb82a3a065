"""YAML documents: the 1.2 core schema, places, and no surprises."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from structag_cli.errors import InputError
from structag_cli.sources.yaml_source import parse_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[yes, no, on, off, y, n]", ["yes", "no", "on", "off", "y", "n"]),
        ("[true, False, null, ~, ]", [True, False, None, None]),
        (
            "[2020-01-01, 12:30, 0x1f, 0o17, 017, 1_000]",
            ["2020-01-01", "12:30", 31, 15, 17, "1_000"],
        ),
        ("[1.5, .5, 1e3, -2, +3]", [1.5, 0.5, 1000.0, -2, 3]),
        ("['1', \"true\", !!str 3]", ["1", "true", "3"]),
        ("a: &x {b: 1}\nc: *x", {"a": {"b": 1}, "c": {"b": 1}}),
        ("a: &x {b: 1, d: 2}\nc: {<<: *x, b: 3}", {"a": {"b": 1, "d": 2}, "c": {"b": 3, "d": 2}}),
        ("|\n  a\n  b\n", "a\nb\n"),
    ],
)
def test_values(text: str, value: Any) -> None:
    assert parse_yaml(text, "x.yaml").value == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [1", "x.yaml:2:1: invalid YAML"),
        ("a: 1\nb: 2\na: 3", "x.yaml:3:1: duplicate key 'a', first at line 1, column 1"),
        ("1: a", "x.yaml:1:1: the key 1 is not a string"),
        ("? [a]\n: b", "x.yaml:1:3: a key that is not a string"),
        ("a: !!python/name:os.system x", "x.yaml:1:4: the tag"),
        ("a: !custom {b: 1}", "x.yaml:1:4: the tag !custom"),
        ("a: 1\n---\nb: 2", "2 YAML documents"),
        ("a: &x [*x]", "unknown or unfinished anchor"),
        ('a: "\\0"', "x.yaml:1:4: NUL"),
        ("[" * 200 + "]" * 200, "nested more than 128 deep"),
    ],
)
def test_faults(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_yaml(text, "x.yaml")
    assert message in str(caught.value)


def test_places() -> None:
    document = parse_yaml("tools:\n  - name: a\n    x: [1, {y: z}]\n", "x.yaml")
    assert str(document.locate("/tools/0/name")) == "x.yaml:2:11 (at /tools/0/name)"
    assert str(document.locate("/tools/0/x/1/y")) == "x.yaml:3:16 (at /tools/0/x/1/y)"
    assert document.locate("/tools/5").line == 2


def test_aliases_that_explode() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    with pytest.raises(InputError, match="aliases expand"):
        parse_yaml("\n".join(lines), "x.yaml")


JSONISH = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("abc:-# '\"", max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1), inner),
    max_leaves=8,
)


@given(JSONISH)
def test_what_yaml_writes_is_read_back(value: Any) -> None:
    assert parse_yaml(yaml.safe_dump(value, sort_keys=False), "x").value == value


@given(st.text(max_size=50) | st.text("[]{}:-&*!<|>'\"# \nab", max_size=40))
def test_any_text_is_a_document_or_one_error(text: str) -> None:
    error = ""
    try:
        parse_yaml(text, "x")
    except InputError as err:
        error = str(err)
    assert "\n" not in error
