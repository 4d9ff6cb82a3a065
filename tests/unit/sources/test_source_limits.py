"""Limits of JSON and YAML documents, each error with its line and column."""

from __future__ import annotations

import json
import time

import pytest

from structag_cli.errors import InputError
from structag_cli.sources import Document
from structag_cli.sources.json_source import MAX_DEPTH, parse_json
from structag_cli.sources.yaml_source import parse_yaml


def fault(text: str, kind: str) -> str:
    with pytest.raises(InputError) as caught:
        (parse_yaml if kind == "yaml" else parse_json)(text, "x")
    return str(caught.value)


@pytest.mark.parametrize("bracket", ["[]", "{}"])
def test_the_deepest_json(bracket: str) -> None:
    one = "[" if bracket == "[]" else '{"a":'
    assert parse_json(one * MAX_DEPTH + "1" + bracket[1] * MAX_DEPTH, "x").value
    column = len(one) * MAX_DEPTH + 1
    text = one * (MAX_DEPTH + 1) + "1" + bracket[1] * (MAX_DEPTH + 1)
    assert fault(text, "json") == f"x:1:{column}: nested more than 128 deep (flatten it)"


def test_a_scalar_beside_what_is_too_deep_is_not_blamed() -> None:
    text = "[" * MAX_DEPTH + "1,\n[]" + "]" * MAX_DEPTH
    assert fault(text, "json").startswith("x:2:1: nested more than 128 deep")


def test_the_deepest_yaml() -> None:
    assert parse_yaml("[" * MAX_DEPTH + "]" * MAX_DEPTH, "x").value
    text = "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)
    assert fault(text, "yaml").startswith("x:1:129: nested more than 128 deep")
    assert "nested more than" in fault("- " * 10_000 + "a", "yaml")


def test_aliases_cannot_nest_deeper_than_brackets() -> None:
    lines = ["a0: &a0 [x]"] + [f"a{i}: &a{i} [*a{i - 1}]" for i in range(1, 300)]
    # a0 is at depth 2 of the document, so a126 fills the depth and a127 is one too many.
    assert fault("\n".join(lines), "yaml").startswith("x:128:14: nested more than 128 deep")


def test_a_long_flat_yaml_is_no_explosion() -> None:
    assert len(parse_yaml("- a\n" * 100_000, "x").value) == 100_000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1,\n 1e999]", "x:2:2: the number 1e999 is too large"),
        ("[-1e999]", "x:1:2: the number -1e999 is too large"),
        ('[1.5, true, "NaN",\n NaN]', "x:2:2: JSON has no NaN"),
        ("[" + "1" * 400 + ".0]", "x:1:2: the number 1111"),
        ('{"a": [' + "9" * 5000 + "]}", "x:1:8: a number with thousands of digits"),
        ('["a",\n "b\\uD800c"]', "x:2:2: a lone surrogate"),
        ('["\\udc00\\ud800"]', "x:1:2: a lone surrogate"),
        ('["\\ud800\\u0041"]', "x:1:2: a lone surrogate"),
        ('{"a": {"\\udfff": 1}}', "x:1:8: a lone surrogate"),
        ('["\\\\\\u0000"]', "x:1:2: NUL"),
        ('{"a": {"b": 1, "c": 2}, "a": {"b": 3}}', "x:1:25: duplicate key 'a', first at line 1"),
        ('[{"a/b": 1,\n"a/b": 1}]', "x:2:1: duplicate key 'a/b', first at line 1, column 3"),
        ('{"a": 1, "\\u0061": 1}', "x:1:10: duplicate key 'a'"),
        ("[1, 2", "x:1:6: invalid JSON: Expecting ',' delimiter"),
        ("[1, 'a']", "x:1:5: invalid JSON: Expecting value"),
        ('["a', "x:1:2: invalid JSON: Unterminated string"),
        ("[1]]", "x:1:4: invalid JSON: a second value after the first"),
    ],
)
def test_json(text: str, message: str) -> None:
    assert fault(text, "json").startswith(message)


@pytest.mark.parametrize(
    "text",
    [
        '["\\\\u0000"]',
        '["\\\\\\\\ud800"]',
        '["\\uD83D\\uDE00"]',
        '{"a": {"b": 1}, "c": {"b": 1}}',
        '[{"a": 1}, {"a": 1}]',
        "[1e308, -0, 0.1]",
        "[" + "1" * 4000 + "]",
    ],
)
def test_json_that_only_looks_wrong(text: str) -> None:
    assert parse_json(text, "x").value == json.loads(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# only a comment", "x: the input is empty"),
        ("a: 1\n---\nb: 2\n---\nc: 3", "x:2:1: 3 YAML documents where one is expected"),
        ("a: b: c", "x:1:5: invalid YAML"),
        ("a:\n\t- b", "x:2:1: invalid YAML"),
        ("a: 1\nb: \x07", "x:2:4: invalid YAML: the character U+0007 (remove it)"),
        ("a: 1\nb: .inf", "x:2:4: JSON has no .inf"),
        ("[.NaN]", "x:1:2: JSON has no .NaN"),
        ("[1e999]", "x:1:2: the number 1e999 is too large"),
        ("[" + "9" * 5000 + "]", "x:1:2: a number with thousands of digits"),
        ("!!float inf", "x:1:1: 'inf' is not what its tag says"),
        ("- !!int abc", "x:1:3: 'abc' is not what its tag says"),
        ("- !!timestamp 2020-01-01", "x:1:3: the tag tag:yaml.org,2002:timestamp builds no plain"),
        ("- !!set {a}", "x:1:3: the tag tag:yaml.org,2002:set builds no plain"),
        ("!!python/object/apply:os.system [id]", "x:1:1: the tag tag:yaml.org,2002:python"),
        ("a: 1\ntrue: 2", "x:2:1: the key true is not a string (quote it)"),
        ("{a: 1, ~: 2}", "x:1:8: the key ~ is not a string"),
        ("{a: 1, {}: 2}", "x:1:8: a key that is not a string"),
        ("a: &x k\n*x : 1", "x:2:1: a key that is not a string"),
        ("a: {b: 1,\n  b: 2}", "x:2:3: duplicate key 'b', first at line 1, column 5"),
        ("a: *x", "x:1:4: "),
        ('"\\0": 1', "x:1:1: NUL (\\u0000) in a key"),
        ("a: {<<: 3}", "x:1:9: << merges mappings alone"),
    ],
)
def test_yaml(text: str, message: str) -> None:
    assert fault(text, "yaml").startswith(message)


def test_yaml_strings_that_1_1_would_change() -> None:
    text = "[yes, No, on, OFF, y, 1:30, 2001-12-14t21:59:43.10-05:00, 0b1, .inf.]"
    assert parse_yaml(text, "x").value == [
        *("yes", "No", "on", "OFF", "y", "1:30", "2001-12-14t21:59:43.10-05:00", "0b1", ".inf.")
    ]


def test_yaml_places_count_characters() -> None:
    document = parse_yaml("- \U0001f600é: 1\n  b: {c: d}\r\n- e", "x")
    assert str(document.locate("/0/\U0001f600é")) == "x:1:7 (at /0/\U0001f600é)"
    assert str(document.locate("/0/b/c")) == "x:2:10 (at /0/b/c)"
    assert str(document.locate("/1")) == "x:3:3 (at /1)"


def test_a_late_fault_in_a_large_text_is_found_fast() -> None:
    row = json.dumps({f"key{i}": [i, str(i), {"a": None}] for i in range(20)})
    text = "[" + ",\n".join([row] * 5_000) + ',\n{"a": 1, "a": 2}]'
    start = time.perf_counter()
    assert fault(text, "json").startswith("x:5001:10: duplicate key 'a'")
    assert time.perf_counter() - start < 20


def test_places_late_in_a_large_text_are_found_fast() -> None:
    document = parse_json("[" + ",\n".join(['{"a": [1, 2, "x"]}'] * 200_000) + "]", "x")
    start = time.perf_counter()
    assert document.locate("/199999/a/2").line == 200_000
    assert time.perf_counter() - start < 5


def test_places_without_a_text_are_pointers() -> None:
    assert str(Document([1], "x").locate("/0")) == "x (at /0)"


@pytest.mark.parametrize("text", ["", "{", "[1,", '{"a"', "{]", "[1 2]", '{"a": nope}'])
@pytest.mark.parametrize("pointer", ["", "/0", "/a", "/1/b", "a", "/-", "/" + "9" * 5000])
def test_locating_in_what_is_no_json(text: str, pointer: str) -> None:
    assert Document(None, "x", text).locate(pointer).line == 1
