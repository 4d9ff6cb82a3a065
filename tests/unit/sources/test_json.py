"""JSON documents: strict reading, and places."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structag_cli.errors import InputError
from structag_cli.place import escape_pointer
from structag_cli.sources.document import Document
from structag_cli.sources.json_source import MAX_DEPTH, parse_json

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def pointers(value: Any, pointer: str = "") -> list[tuple[str, Any]]:
    found = [(pointer, value)]
    if isinstance(value, dict):
        for key, item in value.items():
            found += pointers(item, f"{pointer}/{escape_pointer(key)}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found += pointers(item, f"{pointer}/{index}")
    return found


@given(VALUES, st.sampled_from([None, 1, 3]), st.booleans())
def test_every_value_is_found_where_it_stands(
    value: Any, indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    document = parse_json(text, "x.json")
    assert document.value == value
    lines = text.split("\n")
    for pointer, item in pointers(value):
        place = document.locate(pointer)
        assert place.line is not None
        assert place.column is not None
        offset = sum(len(line) + 1 for line in lines[: place.line - 1]) + place.column - 1
        found, _ = json.JSONDecoder().raw_decode(text, offset)
        assert found == item


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("{", "x.json:1:2", "invalid JSON"),
        ('{"a": 1}\n{"b": 2}', "x.json:2:1", "a second value"),
        ('{"a": 1,\n "a": 2}', "x.json:2:2", "duplicate key 'a', first at line 1, column 2"),
        ('[{"b": {"c": 1, "c": 2}}]', "x.json:1:17", "duplicate key 'c'"),
        ("[\n  -Infinity]", "x.json:2:3", "JSON has no -Infinity"),
        ('["\\udc00"]', "x.json:1:2", "a lone surrogate"),
        ('{"\\u0000": 1}', "x.json:1:2", "NUL"),
        ("[" + "1" * 5000 + "]", "x.json:1:2", "thousands of digits"),
        ('["a\nb"]', "x.json:1:4", "invalid JSON"),
    ],
)
def test_faults_have_a_place(text: str, place: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_json(text, "x.json")
    assert str(caught.value).startswith(f"{place}: ")
    assert message in str(caught.value)


def test_escaped_pairs_are_fine() -> None:
    assert parse_json('["\\ud83d\\ude00", "\\\\ud800"]', "x").value == ["\U0001f600", "\\ud800"]


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 5_000, 100_000])
@pytest.mark.parametrize("bracket", ["[]", "{}"])
def test_depth(depth: int, bracket: str) -> None:
    one = '{"a":' if bracket == "{}" else "["
    text = one * depth + "1" + bracket[1] * depth
    with pytest.raises(InputError, match="nested more than 128 deep"):
        parse_json(text, "x")


def test_depth_counts_no_brackets_in_strings() -> None:
    assert parse_json(json.dumps(["[" * 500]), "x").value == ["[" * 500]


def test_a_pointer_to_nothing_gives_what_is_above_it() -> None:
    document = parse_json('{"a": {"b": 1}}', "x")
    assert document.locate("/a/c/d").column == 7


@given(st.text(max_size=60) | st.text('{}[]",:\\u0 1etrufalsn-', max_size=40))
def test_any_text_is_a_document_or_one_error(text: str) -> None:
    error = ""
    try:
        assert isinstance(parse_json(text, "x"), Document)
    except InputError as err:
        error = str(err)
    assert "\n" not in error
