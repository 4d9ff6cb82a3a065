"""Texts that are cut, broken, or only look like calls."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from structag_cli.formats.registry import grammars
from structag_cli.reader import read_calls
from structag_cli.reader.json_text import decode_at, loads
from structag_cli.reader.types import allowed_types, decode, property_schema

GRAMMARS = {grammar.format: grammar for grammar in grammars()}
HALF = "<tool_call>\n<function=f>\n<parameter=a>\nx\n"
WHOLE = "<tool_call>\n<function=g>\n\n</function>\n</tool_call>"
INVOKE = '<｜DSML｜invoke name="f">\n</｜DSML｜invoke>\n'


def names(text: str, format: str) -> list[tuple[str, Any]]:
    return [(c.name, c.arguments) for c in read_calls(GRAMMARS[format], text).calls]


FENCED = (
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n"
    '```json\n {"a" : 1} \n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
)
LOOSE = "<tool_call>\n\n <function=f>\n<parameter=a>\n1\n</parameter>\n\n</function> </tool_call>"
TIGHT = "<tool_call><function=f><parameter=a>1</parameter></function></tool_call>"
LINES = "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>"
ARRAY = '[TOOL_CALLS][{"name":"f","arguments":{"a":1}},{"name":"f","arguments":{"a":2}}]'


@pytest.mark.parametrize(
    ("format", "text", "calls"),
    [
        ("qwen_xml", TIGHT, [1]),
        ("qwen_xml", LOOSE, [1]),
        ("qwen_xml", "<tool_call>\n<function=f>\n</function>\n</tool_call>", [None]),
        ("glm47", LINES, [1]),
        ("deepseek_v3", FENCED, [1]),
        ("llama3_json", '{"parameters": {"a": 1}, "type": "function", "name": "f"}', [1]),
        ("mistral", ARRAY, [1, 2]),
    ],
)
def test_white_space_between_marks_may_vary(format: str, text: str, calls: list[Any]) -> None:
    expected = [("f", {} if a is None else {"a": a}) for a in calls]
    assert names(text, format) == expected
    assert not read_calls(GRAMMARS[format], text).truncated


def test_a_value_without_an_end_is_cut_where_the_text_ends_and_broken_where_it_goes_on() -> None:
    cut = read_calls(GRAMMARS["qwen_xml"], HALF)
    assert (cut.calls, cut.truncated, cut.content) == ((), True, "")
    broken = read_calls(GRAMMARS["qwen_xml"], HALF + "</function>\n</tool_call>\n" + WHOLE)
    assert not broken.truncated
    assert [(c.name, c.arguments) for c in broken.calls] == [("f", None), ("g", {})]
    assert broken.calls[0].faults == ("a value without an end",)


def test_an_unfinished_string_before_the_end_mark_is_broken() -> None:
    text = '<tool_call>{"name": "f", "arguments": {"a": "x}</tool_call> Well.'
    reading = read_calls(GRAMMARS["hermes_nl"], text)
    assert not reading.truncated
    assert reading.problems[0].what.startswith("not JSON: Unterminated string")


def test_a_call_outside_its_block_is_a_problem() -> None:
    reading = read_calls(GRAMMARS["deepseek_v4"], "So: " + INVOKE)
    assert reading.calls == ()
    assert [(p.what, p.position) for p in reading.problems] == [
        ("a call outside the block of calls", 4)
    ]


def test_two_blocks_and_text_between_them() -> None:
    block = f"<｜DSML｜tool_calls>\n{INVOKE}</｜DSML｜tool_calls>"
    reading = read_calls(GRAMMARS["deepseek_v4"], f"A {block} and {block} B")
    assert [c.name for c in reading.calls] == ["f", "f"]
    assert (reading.problems, reading.truncated) == ((), False)
    assert reading.content == "A  and  B"


def test_a_block_that_is_not_closed() -> None:
    opened = f"<｜DSML｜tool_calls>\n{INVOKE}"
    assert read_calls(GRAMMARS["deepseek_v4"], opened).truncated
    reading = read_calls(GRAMMARS["deepseek_v4"], opened + "And so on.")
    assert not reading.truncated
    assert "after the calls" in reading.problems[0].what


def test_json_behind_a_block_is_no_call() -> None:
    text = '<TOOLCALL>[{"name": "f", "arguments": {}}]</TOOLCALL> {"name": "g", "arguments": {}}'
    assert names(text, "nemotron_json") == [("f", {})]


def test_the_mark_of_a_block_inside_a_value() -> None:
    text = '<TOOLCALL>[{"name": "f", "arguments": {"a": "]</TOOLCALL>"}}]</TOOLCALL>'
    assert names(text, "nemotron_json") == [("f", {"a": "]</TOOLCALL>"})]


def test_words_are_not_the_beginning_of_a_mark() -> None:
    assert not read_calls(GRAMMARS["phi4"], "I like tofu").truncated
    assert read_calls(GRAMMARS["phi4"], "functools[").truncated


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", "1e400", "-Infinity", "9" * 5000])
def test_numbers_that_are_no_json_numbers(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        loads(text)
    value, _, faults, cut = decode_at(text, 0)
    assert (value, cut) == (None, False)
    assert faults[0].startswith("not JSON")
    assert decode(text, {"type": "integer"}, True) == text


def test_half_a_surrogate_pair_is_replaced() -> None:
    value, _, faults, _ = decode_at('{"a": "\\ud800", "b": "\\ud83d\\ude00"}', 0)
    assert value == {"a": "\ufffd", "b": "😀"}
    assert faults == ("half of a surrogate pair, replaced",)
    assert loads('"\\udc00x"') == "\ufffdx"


@pytest.mark.parametrize(
    "value",
    [{"a": [True, None, -1.5e-7, '\\\n"\u00e9']}, [False, 0, {"b": ""}], {"c": "\U0001f600"}],
)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_json_that_is_cut_anywhere(value: Any, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    for end in range(1, len(text)):
        assert decode_at(text[:end], 0)[3], text[:end]


LOOP = {
    "$defs": {
        "a": {"anyOf": [{"$ref": "#/$defs/b"}, {"$ref": "#/$defs/b"}, {"type": "null"}]},
        "b": {"oneOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}, {"type": "integer"}]},
    },
    "properties": {"p": {"$ref": "#/$defs/a"}},
}


def test_references_in_a_circle() -> None:
    start = time.perf_counter()
    schema = property_schema(LOOP, "p", LOOP)
    assert allowed_types(schema, LOOP) == {"null", "integer"}
    assert time.perf_counter() - start < 1


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        ({"type": "string"}, "3", "3"),
        ({"type": "string"}, "null", "null"),
        ({"type": "integer"}, " 3\n", 3),
        ({"type": "integer"}, "3.5", 3.5),
        ({"type": "integer"}, "three", "three"),
        ({"type": "boolean"}, "true", True),
        ({"type": "boolean"}, "True", "True"),
        ({"type": "null"}, "null", None),
        ({"type": "object"}, '{"a": 1}', {"a": 1}),
        ({"type": ["string", "null"]}, "null", None),
        ({"type": ["string", "null"]}, "nil", "nil"),
        ({"anyOf": [{"type": "string"}, {"type": "array"}]}, "[1]", [1]),
        ({"anyOf": [{"type": "string"}, {"type": "array"}]}, "{}", "{}"),
        ({"allOf": [{"type": ["string", "integer"]}, {"type": "integer"}]}, "7", 7),
        ({"enum": ["1", "2"]}, "1", "1"),
        ({"enum": ["1", "2"]}, " 1\n", "1"),
        ({"const": "x"}, "x\n", "x"),
        ({"enum": [1, "1"], "type": "string"}, "1", "1"),
        ({"$ref": "#/$defs/s"}, "5", "5"),
        ({"$ref": "https://example.com/s"}, "5", 5),
        ({}, "5", 5),
        ({}, "five", "five"),
        (True, "[", "["),
    ],
)
def test_values_are_decoded_by_their_schema(schema: Any, text: str, value: Any) -> None:
    root = {"$defs": {"s": {"type": "string"}}}
    found = decode(text, schema, root)
    assert (found, type(found)) == (value, type(value))


def test_properties_are_found_in_branches() -> None:
    root = {
        "$defs": {"x": {"properties": {"a": {"type": "string"}}}},
        "anyOf": [{"type": "null"}, {"$ref": "#/$defs/x"}],
        "additionalProperties": {"type": "boolean"},
    }
    assert property_schema(root, "a", root) == {"type": "string"}
    assert property_schema(root, "z", root) == {"type": "boolean"}
    assert property_schema(True, "a", True) is True
