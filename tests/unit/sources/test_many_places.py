"""Places of many values in one text: right, and without reading it from the start each time."""

from __future__ import annotations

import json

import pytest

from structag_cli.sources import json_places, parse_document
from structag_cli.sources.document import line_column, line_starts

TEXTS = ["", "a", "\n", "a\n", "\n\nb", "a\r\nb\r\n", "Zürich\u2028x\n🦀\n"]


@pytest.mark.parametrize("text", TEXTS)
def test_lines_and_columns(text: str) -> None:
    for offset in range(len(text) + 1):
        before = text[:offset]
        wanted = (before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1)
        assert line_column(text, offset) == wanted


def test_rows_of_a_log_with_blank_lines() -> None:
    text = '\n  \n{"a": 1}\r\n\t\n   {"b": [2,\t3]}\n\n[4]'
    document = parse_document(text, "x", kind="jsonl")
    places = {p: document.locate(p) for p in ("", "/0/a", "/1", "/1/b/1", "/2/0", "/3", "/x")}
    assert {p: (at.line, at.column) for p, at in places.items()} == {
        "": (1, 1),
        "/0/a": (3, 7),
        "/1": (5, 4),
        "/1/b/1": (5, 14),
        "/2/0": (7, 2),
        "/3": (1, 1),
        "/x": (1, 1),
    }


def test_a_text_is_looked_through_once_for_all_its_lines() -> None:
    text = "".join(json.dumps({"a": number}) + "\n" for number in range(3000))
    document = parse_document(text, "x", kind="jsonl")
    caches = (json_places._rows, line_starts)
    for cache in caches:
        cache.cache_clear()
    lines = [document.locate(f"/{number}/a").line for number in range(3000)]
    assert lines == list(range(1, 3001))
    assert [cache.cache_info().misses for cache in caches] == [1, 1]


def test_yaml_is_read_once_for_all_its_places() -> None:
    from structag_cli.sources import yaml_source

    document = parse_document("".join(f"- {number}\n" for number in range(300)), "x.yaml")
    yaml_source.yaml_places.cache_clear()
    assert [document.locate(f"/{n}").line for n in range(300)] == list(range(1, 301))
    assert yaml_source.yaml_places.cache_info().misses == 1
