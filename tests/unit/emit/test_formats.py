"""JSON, YAML and EBNF."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from structag_cli.emit import emit
from structag_cli.sources.yaml_source import parse_yaml

TAG = {
    "type": "structural_tag",
    "format": {"type": "const_string", "value": "<｜DSML｜>\nline two\n"},
}
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc: -#", min_size=1), inner)
    ),
    max_leaves=8,
)


def test_json_is_indented_and_keeps_its_letters() -> None:
    text = emit(TAG, "json")
    assert json.loads(text) == TAG
    assert '\n  "format": {' in text
    assert "｜DSML｜" in text
    assert emit(None, "json") == "null"


def test_yaml_is_literal_for_lines_and_keeps_the_order() -> None:
    text = emit(TAG, "yaml")
    assert text == (
        "type: structural_tag\n"
        "format:\n"
        "  type: const_string\n"
        "  value: |\n"
        "    <｜DSML｜>\n"
        "    line two\n"
    )
    assert emit(None, "yaml") == "null\n"


@given(VALUES)
@example("yes")
@example("0o17")
@example("1e3")
@example("2025-01-15")
@example("\x85")
@example("a\u2028\nb\u2029")
@example(["", "~", "<<", "=", "null", "- a", "a: b", "#", "\n", " \n x", "\u2028", "é\n\ttab "])
def test_yaml_reads_back_as_the_same_json(value: Any) -> None:
    text = emit(value, "yaml")
    assert yaml.safe_load(text) == value
    if isinstance(value, (dict, list)):
        assert parse_yaml(text, "-").value == value


def test_ebnf() -> None:
    text = emit({"response_format": TAG}, "ebnf")
    assert "root ::=" in text
    assert "DSML" in text or "\\uff5c" in text
    assert emit(None, "ebnf").startswith("# no structural tag")


def test_ebnf_of_the_legacy_form() -> None:
    legacy = {
        "type": "structural_tag",
        "structures": [{"begin": "<f>", "schema": {"type": "integer"}, "end": "</f>"}],
        "triggers": ["<f"],
    }
    assert "</f>" in emit(legacy, "ebnf")


def test_unknown_formats_are_a_programming_error() -> None:
    with pytest.raises(ValueError, match="no format"):
        emit(TAG, "toml")
    with pytest.raises(ValueError, match="no structural tag"):
        emit({"a": 1}, "tree")
