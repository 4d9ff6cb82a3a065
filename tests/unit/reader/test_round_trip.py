"""Every format: rendered calls are accepted by the strict tag, and read back."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structag_cli.builder.build import build
from structag_cli.engine.text import TextGrammar, compile_text
from structag_cli.formats.model import Grammar
from structag_cli.formats.registry import grammars
from structag_cli.policy.decision import Decision, TagPlan, ToolPlan
from structag_cli.reader import Call, read_calls, render_calls

GRAMMARS = {grammar.format: grammar for grammar in grammars()}

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "count": {"type": "integer"},
        "ratio": {"type": "number"},
        "on": {"type": "boolean"},
        "many": {"type": "array", "items": {"type": "string"}},
        "rows": {
            "type": "array",
            "items": {"type": "object", "properties": {"a": {"type": "integer"}}},
        },
        "maybe": {"type": ["integer", "null"]},
        "kind": {"enum": ["dark blue", "red"]},
    },
    "required": ["text"],
    "additionalProperties": False,
}
SCHEMAS = {"get_weather": SCHEMA, "x.y-z": SCHEMA}

# A raw value ends at its closing mark; each mark has one of these characters.
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="<[|"), max_size=12)
ROWS = st.lists(st.fixed_dictionaries({}, optional={"a": st.integers(-5, 5)}), max_size=2)
ARGUMENTS = st.fixed_dictionaries(
    {"text": WORDS},
    optional={
        "count": st.integers(),
        "ratio": st.floats(allow_nan=False, allow_infinity=False),
        "on": st.booleans(),
        "many": st.lists(WORDS, max_size=3),
        "rows": ROWS,
        "maybe": st.none() | st.integers(0, 9),
        "kind": st.sampled_from(["dark blue", "red"]),
    },
)


def in_order(arguments: dict[str, Any]) -> dict[str, Any]:
    """The tag wants the properties in the order of the schema."""
    return {key: arguments[key] for key in SCHEMA["properties"] if key in arguments}


CALLS = st.lists(
    st.builds(Call, st.sampled_from(sorted(SCHEMAS)), ARGUMENTS.map(in_order)),
    min_size=1,
    max_size=3,
)


@cache
def tag(name: str, required: bool) -> TextGrammar:
    tools = tuple(ToolPlan(tool, schema, "") for tool, schema in SCHEMAS.items())
    plan = TagPlan(tools, at_least_one=required, stop_after_first=False)
    built = build(GRAMMARS[name], Decision("structural_tag", (), plan=plan))
    assert built is not None
    return compile_text(built.to_json())


@pytest.mark.parametrize("name", GRAMMARS)
@settings(max_examples=20, deadline=None)
@given(calls=CALLS)
def test_calls_are_accepted_and_read_back(name: str, calls: list[Call]) -> None:
    grammar = GRAMMARS[name]
    text = render_calls(grammar, calls, schemas=SCHEMAS)
    # Under `required` the tag begins with the call: no lead.
    assert tag(name, True).check(text.removeprefix(grammar.lead)).accepted, text
    assert tag(name, False).check("Well.\n" + text).accepted, text
    reading = read_calls(grammar, text, tools=SCHEMAS)
    assert [Call(c.name, c.arguments or {}) for c in reading.calls] == calls
    assert [c.faults for c in reading.calls] == [()] * len(calls)
    assert (reading.problems, reading.truncated, reading.content) == ((), False, "")


OTHER_TEXT = {
    "hermes_nl": "an escape that JSON does not need",
    "mistral": "ids of the caller's choice",
}
"""Formats with an example that says the same calls in another text, and what differs."""


def examples() -> list[tuple[str, int]]:
    return [
        (name, index)
        for name, grammar in GRAMMARS.items()
        for index, example in enumerate(grammar.examples.parse)
        if example.calls and not example.content
    ]


def rendered(grammar: Grammar, index: int) -> tuple[str, str]:
    example = grammar.examples.parse[index]
    calls = [Call(call.name, dict(call.arguments)) for call in example.calls]
    schemas: dict[str, Any] = {tool.name: tool.parameters for tool in grammar.examples.tools}
    text = render_calls(grammar, calls, schemas=schemas)
    return text.removeprefix(grammar.lead), example.text.removeprefix(grammar.lead)


@pytest.mark.parametrize(("name", "index"), examples())
def test_calls_are_laid_out_as_in_the_files(name: str, index: int) -> None:
    written, expected = rendered(GRAMMARS[name], index)
    if written != expected:
        assert name in OTHER_TEXT


CUT = [Call("fun_c", {"text": "x\ny é", "count": -1, "ratio": -1.5e-7, "on": True, "many": ["a"]})]
WORDY = {"gigachat3": len("function call<"), "phi4": len("functools[")}
"""Marks that begin with letters alone, which may be a word."""


@pytest.mark.parametrize("name", GRAMMARS)
def test_a_call_cut_anywhere_is_truncated_and_not_broken(name: str) -> None:
    grammar = GRAMMARS[name]
    schemas = {"fun_c": SCHEMA}
    text = render_calls(grammar, CUT, schemas=schemas)
    start = len(grammar.lead) + WORDY.get(name, 2)
    optional_end = "" in grammar.calls[0].or_end or not grammar.calls[0].end
    complete = text.removesuffix(str(grammar.calls[0].end)) if optional_end else text
    for end in range(start, len(complete.rstrip())):
        reading = read_calls(grammar, text[:end], tools=schemas)
        assert reading.truncated, text[:end]
        assert (reading.problems, [c.faults for c in reading.calls if c.faults]) == ((), [])
    assert not read_calls(grammar, text, tools=schemas).truncated
