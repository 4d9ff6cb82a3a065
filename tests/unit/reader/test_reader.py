"""Text to calls: every format's examples, round trips, and texts that are cut or broken."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structag_cli.formats.model import Grammar
from structag_cli.formats.registry import grammars
from structag_cli.reader import Call, read_calls, render_calls

GRAMMARS = {grammar.format: grammar for grammar in grammars()}
PARSED = [(name, i) for name, g in GRAMMARS.items() for i in range(len(g.examples.parse))]


def parameters(grammar: Grammar) -> dict[str, Any]:
    return {t.name: True if t.parameters is None else t.parameters for t in grammar.examples.tools}


@pytest.mark.parametrize(("name", "index"), PARSED)
def test_the_examples_of_the_grammar_files(name: str, index: int) -> None:
    grammar = GRAMMARS[name]
    example = grammar.examples.parse[index]
    reading = read_calls(grammar, example.text, tools=parameters(grammar))
    assert [(c.name, c.arguments) for c in reading.calls] == [
        (c.name, c.arguments) for c in example.calls
    ]
    assert reading.content == example.content
    assert not reading.truncated
    assert reading.problems == ()


SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "count": {"type": "integer"},
        "ratio": {"type": "number"},
        "on": {"type": "boolean"},
        "many": {"type": "array", "items": {"type": "string"}},
        "inner": {"type": "object", "properties": {"a": {"type": "integer"}}},
        "maybe": {"type": ["integer", "null"]},
    },
}
# Any text but the marks of the formats themselves: the first closing mark ends a value,
# in the engines' parsers as here.
WORDS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="<>｜|[]"), max_size=12
)
ARGUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "text": WORDS,
        "count": st.integers(-(10**12), 10**12),
        "ratio": st.floats(allow_nan=False, allow_infinity=False),
        "on": st.booleans(),
        "many": st.lists(WORDS, max_size=3),
        "inner": st.fixed_dictionaries({}, optional={"a": st.integers(-5, 5)}),
        "maybe": st.none() | st.integers(0, 9),
    },
)
# MiniMax M3 nests elements: an empty list or object has no text of its own.
EMPTY_IS_LOST = {"minimax_m3"}


def has_empty(value: Any) -> bool:
    return isinstance(value, dict) and any(item in ([], {}) for item in value.values())


@pytest.mark.parametrize("name", GRAMMARS)
@settings(max_examples=25, deadline=None)
@given(calls=st.lists(ARGUMENTS, min_size=1, max_size=3), content=st.sampled_from(["", "Hello. "]))
def test_what_is_rendered_is_read_back(
    name: str, calls: list[dict[str, Any]], content: str
) -> None:
    grammar = GRAMMARS[name]
    if name in EMPTY_IS_LOST and any(map(has_empty, calls)):
        return
    sent = [Call(f"tool_{i}", arguments) for i, arguments in enumerate(calls)]
    schemas = {call.name: SCHEMA for call in sent}
    text = render_calls(grammar, sent, content=content, schemas=schemas)
    reading = read_calls(grammar, text, tools=schemas)
    assert [(c.name, c.arguments) for c in reading.calls] == [(c.name, c.arguments) for c in sent]
    assert reading.content == content.strip()
    assert not reading.truncated
    assert all(call.faults == () for call in reading.calls)


SIX = ["hermes_nl", "qwen_xml", "deepseek_v3_2", "deepseek_v4"]


@pytest.mark.parametrize("name", SIX)
def test_every_cut_of_a_call_is_truncated(name: str) -> None:
    grammar = GRAMMARS[name]
    text = render_calls(grammar, [Call("f", {"a": "x", "b": [1, 2]})]).lstrip()
    for end in range(2, len(text.rstrip())):
        assert read_calls(grammar, text[:end]).truncated, text[:end]
    assert not read_calls(grammar, text).truncated


@pytest.mark.parametrize("name", GRAMMARS)
def test_plain_text_is_content(name: str) -> None:
    reading = read_calls(GRAMMARS[name], "It is 20 degrees. {a} [b] 1 < 2 > 0.\n")
    assert (reading.calls, reading.truncated) == ((), False)
    assert reading.content == "It is 20 degrees. {a} [b] 1 < 2 > 0."


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ('<tool_call>{"name":"f","arguments":{"a":1}}</tool_call>', [("f", {"a": 1})]),
        ('<tool_call>\n{"arguments": {"a": 1}, "name": "f"}\n</tool_call>', [("f", {"a": 1})]),
        ('x <tool_call> {"name": "f", "arguments": {}} </tool_call> y', [("f", {})]),
        ('<tool_call>\n{"name": "f", "arguments": 3}\n</tool_call>', [("f", None)]),
        ("<tool_call>\n{oops}\n</tool_call>", []),
    ],
)
def test_hermes_is_read_as_engines_read_it(text: str, calls: Any) -> None:
    reading = read_calls(GRAMMARS["hermes_nl"], text)
    assert [(c.name, c.arguments) for c in reading.calls] == calls


def test_broken_calls_are_problems() -> None:
    reading = read_calls(GRAMMARS["hermes_nl"], "<tool_call>\n{oops}\n</tool_call>")
    assert reading.problems[0].what.startswith("not JSON")
    assert reading.problems[0].position == len("<tool_call>\n{")


@pytest.mark.parametrize("name", GRAMMARS)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_any_text_is_read(name: str, data: st.DataObject) -> None:
    grammar = GRAMMARS[name]
    marks = [example.text for example in grammar.examples.parse]
    source = data.draw(st.sampled_from(marks))
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, len(source)))
    text = source[:start] + data.draw(st.text(max_size=5)) + source[end:]
    reading = read_calls(grammar, text)
    for call in reading.calls:
        assert text[slice(*call.span)] == call.raw
