"""Masks, places in JSON and in tags, and how they are drawn."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from structag_cli.masks.heat import colour
from structag_cli.masks.json_path import json_position
from structag_cli.masks.mask import Mask
from structag_cli.masks.place_in_tag import place_in_tag
from structag_cli.masks.quoting import count, piece, shorten
from structag_cli.masks.svg import walk_svg
from structag_cli.masks.walk import Row, Walk, popcount


@given(st.lists(st.booleans(), min_size=1, max_size=200), st.integers(0, 5))
def test_packed_bits_are_read_back(bits: list[bool], padding: int) -> None:
    size = len(bits)
    padding = min(padding, size)
    words = np.zeros((size + 31) // 32, dtype=np.uint32)
    for index, bit in enumerate(bits):
        words[index >> 5] |= np.uint32(int(bit) << (index & 31))
    words[-1] |= np.uint32((0xFFFFFFFF << (size % 32)) & 0xFFFFFFFF if size % 32 else 0)
    mask = Mask(words.view(np.int32), size, padding)
    assert mask.bits.tolist() == bits
    assert mask.allowed == sum(bits) == popcount(mask.words, size)
    assert mask.allowed_ids() == [i for i, bit in enumerate(bits) if bit]
    assert mask.banned_ids() == [i for i in range(size - padding) if not bits[i]]
    assert [i in mask for i in range(size)] == bits
    assert size not in mask
    assert -1 not in mask


@pytest.mark.parametrize(
    ("text", "pointer", "expects"),
    [
        ("", "", "a value"),
        ("{", "", "a property or '}'"),
        ('{"ci', "", "a property's name"),
        ('{"city"', "/city", "':'"),
        ('{"city": ', "/city", "a value"),
        ('{"city": "Pa', "/city", "the string"),
        ('{"city": "a\\"b', "/city", "the string"),
        ('{"city": "Paris"', "/city", "',' or '}'"),
        ('{"city": "Paris", ', "", "a property"),
        ('{"a": {"b/c": [1, 2', "/a/b~1c/1", "the value"),
        ('{"a": [', "/a/0", "an item or ']'"),
        ('{"a": [1,', "/a/1", "an item"),
        ('{"a": [1]', "/a", "',' or '}'"),
        ('{"a": 1}', "", "nothing more"),
        ('"x"', "", "nothing more"),
        ("]]]", "", "a value"),
    ],
)
def test_json_positions(text: str, pointer: str, expects: str) -> None:
    found = json_position(text)
    assert (found.pointer, found.expects) == (pointer, expects)


@given(st.text(alphabet='{}[]:,"\\ ab1', max_size=60))
def test_json_positions_of_anything(text: str) -> None:
    json_position(text)


TAG: dict[str, Any] = {
    "type": "structural_tag",
    "format": {
        "type": "triggered_tags",
        "triggers": ["<tool_call>"],
        "at_least_one": True,
        "tags": [
            {
                "type": "tag",
                "begin": '<tool_call>\n{"name": "f", "arguments": ',
                "content": {"type": "json_schema", "json_schema": True, "style": "json"},
                "end": "}\n</tool_call>",
            }
        ],
    },
}


@pytest.mark.parametrize(
    ("text", "pointer", "argument"),
    [
        ("", "/format/tags", ""),
        ("<tool", "/format/tags/0/begin", ""),
        (
            '<tool_call>\n{"name": "f", "arguments": {"city": ',
            "/format/tags/0/content/json_schema",
            "/city",
        ),
        ('<tool_call>\n{"name": "f", "arguments": {}', "/format/tags/0/end", ""),
        ('<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call> ok', "/format", ""),
    ],
)
def test_places_in_a_tag(text: str, pointer: str, argument: str) -> None:
    found = place_in_tag(TAG, text)
    assert (found.pointer, found.argument) == (pointer, argument)


def rows() -> tuple[Row, ...]:
    return (
        Row(0, 1, "<a>&\x00\ud800", True, 1, True),
        Row(1, 2, "中 \n", True, 200_000, False),
        Row(2, 3, "x", False, 3, False),
        Row(3, 4, "y", None, 0, False),
    )


def test_pictures_are_well_formed_whatever_the_tokens() -> None:
    text = walk_svg(Walk(rows(), False, False, "the end"), 'a "title" <&>', 248_077)
    root = ET.fromstring(text)
    assert root.tag.endswith("svg")
    assert len({colour(row, 248_077) for row in rows()}) == 4


def test_tokens_are_shown_without_control_characters() -> None:
    assert piece(b"\x1b[31m\n") == "\u2039\\x1b[31m\\n\u203a"
    assert piece(b"\xff") == "\u2039\\xff\u203a"
    assert count(2_407_104) == "2 407 104"
    assert shorten("abcdef", 5) == "ab..."
