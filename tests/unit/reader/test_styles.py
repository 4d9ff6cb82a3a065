"""Every argument style: what is rendered is what xgrammar accepts, and is read back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from structag_cli.engine.text import compile_text
from structag_cli.errors import EngineError
from structag_cli.reader.styles import style_named

CLOSINGS = {
    "json": "",
    "gemma": '<|"|>',
    "qwen_xml": "</parameter>",
    "minimax_xml": "</parameter>",
    "minimax_m3_xml": "]<]minimax[>[",
    "glm_xml": "</arg_value>",
    "deepseek_xml": "</｜DSML｜parameter>",
    "deepseek_v4_1_xml": "</｜DSML｜ parameter>",
    "cohere_xml": "</cofl:value>",
    "kimi_k3_xml": "<|close|>argument<|sep|>",
}
"""What a string may not hold: its value ends there, in the tag as in every parser."""

UNTYPED = {"qwen_xml", "minimax_xml", "glm_xml", "minimax_m3_xml"}
"""Values carry no type: where a string and something else are allowed, ``"3"`` reads as 3."""

NAMES = ["city", "n", "a_b", "x.y", "a-b", "$ref_", "größe", "a b", "it's", "@id"]
"""Property names; those with quotes and angle brackets have a test of their own."""


@dataclass(frozen=True)
class Kind:
    """A schema and the values to try."""

    schema: Any
    values: st.SearchStrategy[Any]


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def strings(style: str) -> st.SearchStrategy[str]:
    """Any text but the closing mark; marks of other kinds are welcome."""
    closing = CLOSINGS[style]
    pieces = st.sampled_from(["<", ">", "{", "}", '"', "\\", "\n", "</", "]", "[", " ", "|", "<a>"])
    texts = st.lists(pieces | st.text(st.characters(exclude_categories=["Cs"]), max_size=4))
    joined = texts.map("".join)
    return joined if not closing else joined.filter(lambda text: closing[:-1] not in text)


def leaves(style: str) -> st.SearchStrategy[Kind]:
    text = strings(style)
    number = st.floats(allow_nan=False, allow_infinity=False) | st.integers()
    found = [
        Kind({"type": "string"}, text),
        Kind({"type": "integer"}, st.integers()),
        Kind({"type": "number"}, number),
        Kind({"type": "boolean"}, st.booleans()),
        Kind({"type": "null"}, st.none()),
        Kind({"type": ["integer", "null"]}, st.integers() | st.none()),
        Kind({"enum": ["red", "dark blue"]}, st.sampled_from(["red", "dark blue"])),
        Kind({"type": "string", "enum": ["on", "off"]}, st.sampled_from(["on", "off"])),
        Kind({"const": "fixed"}, st.just("fixed")),
        Kind({"enum": ["a", 1, None, True]}, st.sampled_from(["a", 1, None, True])),
        Kind(
            {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            st.integers() | text.filter(lambda t: style not in UNTYPED or not is_json(t)),
        ),
    ]
    return st.sampled_from(found)


def containers(inner: st.SearchStrategy[Kind]) -> st.SearchStrategy[Kind]:
    lists = inner.map(
        lambda kind: Kind(
            {"type": "array", "items": kind.schema}, st.lists(kind.values, max_size=3)
        )
    )
    return lists | objects(inner, ["a", "b_2", "c"])


def objects(inner: st.SearchStrategy[Kind], names: list[str]) -> st.SearchStrategy[Kind]:
    chosen = st.lists(st.sampled_from(names), unique=True, max_size=4)
    members = chosen.flatmap(lambda keys: st.fixed_dictionaries(dict.fromkeys(keys, inner)))
    return members.flatmap(
        lambda m: st.sets(st.sampled_from([*m, ""])).map(lambda needed: closed_object(m, needed))
    )


def closed_object(members: dict[str, Kind], needed: set[str]) -> Kind:
    schema = {
        "type": "object",
        "properties": {key: kind.schema for key, kind in members.items()},
        "required": [key for key in members if key in needed],
        "additionalProperties": False,
    }
    values = st.fixed_dictionaries(
        {key: kind.values for key, kind in members.items() if key in needed},
        optional={key: kind.values for key, kind in members.items() if key not in needed},
    )
    # The tag wants the properties in the order of the schema.
    return Kind(
        schema, values.map(lambda found: {key: found[key] for key in members if key in found})
    )


def tools(style: str) -> st.SearchStrategy[Kind]:
    return objects(st.recursive(leaves(style), containers, max_leaves=4), NAMES)


def accepts(style: str, schema: Any, text: str) -> bool:
    node = {"type": "json_schema", "json_schema": schema, "style": style}
    return compile_text({"type": "structural_tag", "format": node}).check(text).accepted


@pytest.mark.parametrize("style", CLOSINGS)
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_rendered_arguments_are_accepted_and_read_back(style: str, data: st.DataObject) -> None:
    kind = data.draw(tools(style))
    arguments = data.draw(kind.values)
    text = style_named(style).render(arguments, kind.schema)
    assert accepts(style, kind.schema, text), text
    parsed = style_named(style).parse(text, 0, kind.schema)
    assert parsed.arguments == arguments
    assert (parsed.faults, parsed.truncated) == ((), False)
    assert text[parsed.end :].strip() == ""


XML = [style for style in CLOSINGS if style not in ("json", "gemma")]
ODD = ["it's", 'say "a"', "a&b", "a<b", "x/y", "a b", "größe"]


@pytest.mark.parametrize("style", XML)
@pytest.mark.parametrize("name", ODD)
def test_property_names_are_written_as_the_tag_wants_them(style: str, name: str) -> None:
    schema = {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}
    text = style_named(style).render({name: "v"}, schema)
    assert accepts(style, schema, text)
    assert style_named(style).parse(text, 0, schema).arguments == {name: "v"}


@pytest.mark.parametrize("style", sorted(set(XML) - {"cohere_xml"}))
def test_a_name_with_a_closing_bracket_cannot_be_read(style: str) -> None:
    schema = {"type": "object", "properties": {"a>b": {"type": "string"}}}
    text = style_named(style).render({"a>b": "v"}, schema)
    assert style_named(style).parse(text, 0, schema).arguments != {"a>b": "v"}


@pytest.mark.parametrize("style", sorted(set(CLOSINGS) - {"json", "minimax_m3_xml", "cohere_xml"}))
def test_the_first_closing_mark_ends_a_value(style: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    text = style_named(style).render({"a": f"x{CLOSINGS[style]}y"}, schema)
    assert not accepts(style, schema, text)
    parsed = style_named(style).parse(text, 0, schema)
    assert parsed.arguments in ({"a": "x"}, None)


def test_what_minimax_m3_cannot_say() -> None:
    with pytest.raises(EngineError):
        accepts("minimax_m3_xml", True, "")
    open_object = {"type": "object", "properties": {"o": {"type": "object"}}}
    text = style_named("minimax_m3_xml").render({"o": {"a": 1}}, open_object)
    assert not accepts("minimax_m3_xml", open_object, text)


UNION = {
    "type": "object",
    "properties": {"p": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
}


@pytest.mark.parametrize("style", sorted(UNTYPED))
def test_text_that_is_json_of_another_allowed_type_is_that(style: str) -> None:
    text = style_named(style).render({"p": "3"}, UNION)
    assert accepts(style, UNION, text)
    assert style_named(style).parse(text, 0, UNION).arguments == {"p": 3}


@pytest.mark.parametrize("style", sorted(set(CLOSINGS) - UNTYPED))
def test_typed_styles_keep_the_type(style: str) -> None:
    text = style_named(style).render({"p": "3"}, UNION)
    assert accepts(style, UNION, text)
    assert style_named(style).parse(text, 0, UNION).arguments == {"p": "3"}


@pytest.mark.parametrize(
    ("style", "text", "fault"),
    [
        ("json", '{"a": 1, "a": 2}', "twice"),
        ("gemma", "{a:1,a:2}", "twice"),
        ("qwen_xml", "<parameter=a>1</parameter><parameter=a>2</parameter>", "twice"),
        (
            "cohere_xml",
            '<cofl:value name="a" type="json">1</cofl:value>'
            '<cofl:value name="a" type="json">2</cofl:value>',
            "twice",
        ),
        (
            "minimax_m3_xml",
            "]<]minimax[>[<a>1]<]minimax[>[</a>]<]minimax[>[<a>2]<]minimax[>[</a>",
            "twice",
        ),
    ],
)
def test_of_a_repeated_parameter_the_last_counts(style: str, text: str, fault: str) -> None:
    parsed = style_named(style).parse(text, 0, True)
    assert parsed.arguments == {"a": 2}
    assert fault in parsed.faults[0]


@pytest.mark.parametrize(
    ("style", "piece"),
    [
        ("json", "["),
        ("gemma", "{a:"),
        ("cohere_xml", '<cofl:value name="a" type="dict">'),
        ("minimax_m3_xml", "]<]minimax[>[<a>"),
    ],
)
def test_bottomless_nesting_is_no_arguments(style: str, piece: str) -> None:
    parsed = style_named(style).parse(piece * 5000, 0, True)
    assert parsed.arguments is None
    assert parsed.faults


@pytest.mark.parametrize("style", XML)
@pytest.mark.parametrize("length", [1, 63, 64, 199, 200, 383, *range(396, 402), 5000])
def test_white_space_of_any_length_changes_nothing(style: str, length: int) -> None:
    """A look ahead that ends in the middle of a mark must not take the text for cut there."""
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}}
    arguments = {"a": "x", "b": 3}
    module = style_named(style)
    text = module.render(arguments, schema)
    mark = {"kimi_k3_xml": "<|open|>", "minimax_m3_xml": "]<]minimax[>[<"}.get(style, "<")
    at = text.rindex(mark, 0, text.index("3"))  # where the second parameter's mark begins
    pad = (" \n" * length)[:length]
    for padded in (pad + text, text[:at] + pad + text[at:], text):
        found = module.parse(padded + pad + "</end_of_call>", 0, schema)
        assert (found.arguments, found.truncated) == (arguments, False), padded[:200]
