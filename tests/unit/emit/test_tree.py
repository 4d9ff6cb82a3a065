"""The tree says in words what a tag asks for, of every node, right or wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from structag_cli.emit import emit
from structag_cli.emit.anatomy import NODES


def tree(node: Any, **options: Any) -> str:
    options = {"width": 100, **options}
    return emit({"type": "structural_tag", "format": node}, "tree", **options)


def words(node: Any, **options: Any) -> str:
    """The tree without its drawing, on one line."""
    plain = tree(node, **options)
    for mark in "│├└─":
        plain = plain.replace(mark, " ")
    return " ".join(plain.split())


SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "minLength": 1},
        "days": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 7}},
        "where": {
            "type": "object",
            "properties": {"lat": {"type": "number", "exclusiveMinimum": -90}},
            "required": ["lat"],
        },
    },
    "required": ["city"],
    "additionalProperties": False,
}
CALL = {
    "type": "tag",
    "begin": '<tool_call>\n{"name": "get_weather", "arguments": ',
    "content": {"type": "json_schema", "json_schema": SCHEMA},
    "end": "}\n</tool_call>",
}


def triggered(**flags: bool) -> dict[str, Any]:
    return {"type": "triggered_tags", "triggers": ["<tool_call>"], "tags": [CALL, CALL], **flags}


def test_a_tool_call() -> None:
    expected = """\
structural tag
└── one of the 2 tags below, once, with no text before or after it:  [triggered_tags]
    ├── trigger `<tool_call>`: once it is written, one of the tags must follow in full
    ├── begins with `<tool_call>\\n{"name": "get_weather", "arguments": `  [tag]
    │   ├── JSON: object with 3 properties (1 required), no others  [json_schema]
    │   │   ├── `city` required: string, at least 1 characters
    │   │   ├── `days` optional: array of integer, 1 to 7
    │   │   └── `where` optional: object with 1 property (1 required)
    │   │       └── `lat` required: number, above -90
    │   └── ends with `}\\n</tool_call>`"""
    shown = tree(triggered(at_least_one=True, stop_after_first=True))
    assert shown.startswith(expected)


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({}, "free text, in it any number of times one of the 2 tags below, or never"),
        ({"at_least_one": True}, "one of the 2 tags below first, with no text before it; then"),
        ({"stop_after_first": True}, "free text, then at most once one of the 2 tags below"),
    ],
)
def test_flags_in_words(flags: dict[str, bool], said: str) -> None:
    assert said in words(triggered(**flags))


CONST = {"type": "const_string", "value": "a b\t"}


@pytest.mark.parametrize(
    ("node", "said"),
    [
        (CONST, "exactly `a b\\t`"),
        ({"type": "regex", "pattern": "\\d+"}, "regular expression `\\\\d+`"),
        ({"type": "grammar", "grammar": 'root ::= "a"'}, '(ebnf): [grammar] `root ::= "a"`'),
        ({"type": "any_text"}, "free text, also none [any_text]"),
        ({"type": "any_text", "excludes": ["a", "b"]}, "never with `a` or `b` in it"),
        ({"type": "any_text", "max_chars": 3}, "at most 3 characters"),
        ({"type": "any_tokens", "exclude_tokens": ["<x>"]}, "never with the token `<x>`"),
        ({"type": "any_tokens", "exclude_tokens": [1, 2]}, "the tokens token 1 or token 2"),
        ({"type": "token", "token": "<x>"}, "the one token `<x>`"),
        ({"type": "token", "token": 7}, "the one token token 7"),
        ({"type": "exclude_token", "exclude_tokens": ["<x>"]}, "any one token but `<x>`"),
        ({"type": "sequence", "elements": [CONST, CONST]}, "in this order: [sequence]"),
        ({"type": "or", "elements": [CONST]}, "one of these: [or]"),
        ({"type": "optional", "content": CONST}, "once or not at all: [optional]"),
        ({"type": "star", "content": CONST}, "any number of times, or none: [star]"),
        ({"type": "plus", "content": CONST}, "once or several times: [plus]"),
        ({"type": "repeat", "min": 1, "max": 3, "content": CONST}, "1 to 3 times: [repeat]"),
        ({"type": "repeat", "min": 2, "max": -1, "content": CONST}, "at least 2 times: [repeat]"),
        (
            {"type": "tag", "begin": "", "content": CONST, "end": ["x", "y"]},
            "ends with `x` or `y`",
        ),
        (
            {
                "type": "tag",
                "begin": {"type": "token", "token": "<x>"},
                "content": CONST,
                "end": "",
            },
            "begins with the one token `<x>`",
        ),
        (
            {
                "type": "token_triggered_tags",
                "trigger_tokens": ["<x>"],
                "tags": [CALL],
                "exclude_tokens": ["<y>"],
            },
            "free text never holds `<y>`",
        ),
        (
            {
                "type": "tags_with_separator",
                "tags": [CALL],
                "separator": ", ",
                "at_least_one": True,
            },
            "the tag below, once or more, joined by `, `, no other text",
        ),
        (
            {
                "type": "tags_with_separator",
                "tags": [CALL, CALL],
                "separator": "",
                "stop_after_first": True,
            },
            "one of the 2 tags below, at most once, no other text",
        ),
        ({"type": "dispatch", "rules": [["<a>", CONST]]}, "after `<a>`: "),
        ({"type": "dispatch", "rules": [["<a>", CONST]], "loop": False}, "ends after that"),
        ({"type": "token_dispatch", "rules": [[7, CONST]]}, "after token 7: "),
        (
            {"type": "qwen_xml_parameter", "json_schema": SCHEMA},
            "<parameter=key>value</parameter> (qwen_xml): object with 3",
        ),
        (
            {"type": "json_schema", "json_schema": True, "style": "made_up"},
            "!! in the unknown style made_up: anything",
        ),
        (
            {"type": "json_schema", "json_schema": True, "any_order": True, "excludes": ["a"]},
            "strings never hold `a` properties in any order",
        ),
    ],
    ids=lambda value: value["type"] if isinstance(value, dict) else None,
)
def test_every_node(node: dict[str, Any], said: str) -> None:
    assert said in words(node)


@pytest.mark.parametrize(
    ("node", "said"),
    [
        (
            {"type": "made_up", "x": [1]},
            '!! unknown node type "made_up": xgrammar 0.2.9 refuses it',
        ),
        ({}, "!! a node without a type"),
        (None, "!! not a node: null"),
        ([1], "!! not a node: [1]"),
        ({"type": ["a"]}, '!! unknown node type ["a"]'),
        ({"type": "any_text", "exclude": ["a"]}, '!! unknown field `exclude`: ["a"]'),
        ({"type": "const_string"}, "!! const_string with a missing or wrong `value`"),
        ({"type": "tag", "begin": 1, "content": [], "end": None}, "`begin`, `content` or `end`"),
        ({"type": "triggered_tags", "triggers": "a", "tags": [3]}, "wrong `triggers`"),
        ({"type": "or", "elements": [None, "x"]}, '!! not a node: "x"'),
        ({"type": "json_schema", "json_schema": "x"}, "wrong `json_schema`"),
    ],
    ids=str,
)
def test_what_is_wrong_is_marked_and_shown(node: Any, said: str) -> None:
    assert said in words(node)


@pytest.mark.parametrize("kind", sorted(NODES))
@pytest.mark.parametrize("value", [None, 1, "a", [], {}, [[]], True])
def test_no_field_makes_it_crash(kind: str, value: Any) -> None:
    for field in NODES[kind]:
        assert tree({"type": kind, field: value})
    assert tree({"type": kind, **dict.fromkeys(NODES[kind], value)})


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": 3}, "required": "a"},
        {"type": 3, "enum": {}, "anyOf": {}, "items": []},
        {"properties": [], "$defs": [], "additionalProperties": 7},
        {"type": ["object", "null"], "oneOf": [1, {"properties": {"x": {}}}]},
        {"minimum": "a", "pattern": 1, "required": [1]},
    ],
    ids=str,
)
def test_no_schema_makes_it_crash(schema: Any) -> None:
    assert tree({"type": "json_schema", "json_schema": schema})


def test_legacy_form() -> None:
    legacy = {
        "type": "structural_tag",
        "structures": [{"begin": "<f>", "schema": json.dumps(SCHEMA), "end": "</f>"}],
        "triggers": ["<f"],
    }
    shown = emit(legacy, "tree")
    assert shown.startswith("structural tag, legacy form")
    assert "`city` required: string" in shown
    assert "`<f`" in shown


def test_many_tools_are_counted_unless_all_are_asked_for() -> None:
    tags = [{**CALL, "begin": f"<call>{number}"} for number in range(1024)]
    node = {"type": "triggered_tags", "triggers": ["<call>"], "tags": tags}
    shown = tree(node)
    assert "... and 1,004 more tags (--all shows them)" in shown
    assert "<call>1023" not in shown
    assert "<call>1023" in tree(node, show_all=True)


def test_many_properties_are_counted_unless_all_are_asked_for() -> None:
    schema = {"properties": {f"p{number}": {"type": "string"} for number in range(500)}}
    node = {"type": "json_schema", "json_schema": schema}
    assert "460 more lines (--all shows them)" in tree(node)
    assert "`p499`" in tree(node, show_all=True)


def test_deep_tags_are_cut_unless_all_is_asked_for() -> None:
    node: dict[str, Any] = CONST
    for _ in range(60):
        node = {"type": "optional", "content": node}
    assert "37 nodes below here (--all shows them)" in tree(node)
    assert "exactly `a b\\t`" in tree(node, show_all=True)


def test_plain_text_and_its_width(monkeypatch: pytest.MonkeyPatch) -> None:
    node = {"type": "any_text", "excludes": [f"word{number}" * 3 for number in range(8)]}
    monkeypatch.delenv("COLUMNS", raising=False)
    assert 60 < max(map(len, tree(node, width=None).splitlines())) <= 100
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(len, tree(node, width=None).splitlines())) <= 60
    monkeypatch.setenv("COLUMNS", "wide")
    assert tree(node, width=None) == tree(node)
    assert "\x1b" not in tree(node)
    assert "\x1b[" in tree(node, color=True)


def test_control_characters_never_reach_the_terminal() -> None:
    nasty = "\x1b[31m\x07\u202e"
    node = {
        "type": "sequence",
        "elements": [
            {"type": "const_string", "value": nasty},
            {"type": nasty, nasty: nasty},
            {"type": "any_text", nasty: 1},
            {"type": "json_schema", "json_schema": {"properties": {nasty: {nasty: 1}}}},
        ],
    }
    shown = tree(node)
    assert not any(char in shown for char in nasty if not char.isprintable())


def test_a_tag_inside_a_payload_and_no_tag() -> None:
    tag = {"type": "structural_tag", "format": CONST}
    assert emit({"response_format": tag}, "tree") == emit(tag, "tree")
    assert "no structural tag" in emit(None, "tree")
