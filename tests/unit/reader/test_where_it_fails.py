"""What is no JSON is told at the place where reading fails, not where the call begins."""

from __future__ import annotations

import pytest

from structag_cli.formats.registry import grammar_for
from structag_cli.reader import read_calls

BROKEN = [
    '{"a": 1,, "b": 2}',
    '{"a": [1, 2}',
    "{'a': 1}",
    '{"a": "Zürich" "b": 2}',
    '{"a": tru, "b": 1}',
]


END = "\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"


def failing(text: str) -> int:
    import json

    with pytest.raises(json.JSONDecodeError) as told:
        json.loads(text)
    return told.value.pos


@pytest.mark.parametrize("arguments", BROKEN)
def test_in_an_object_with_the_name_in_it(arguments: str) -> None:
    grammar = grammar_for("hermes")
    assert grammar is not None
    head = 'Well.\n<tool_call>\n{"name": "f", "arguments": '
    problem = read_calls(grammar, head + arguments + "}\n</tool_call>").problems[0]
    assert problem.what.startswith("not JSON: ")
    assert problem.position == len(head) + failing(arguments)


@pytest.mark.parametrize("arguments", BROKEN)
def test_in_arguments_behind_the_name(arguments: str) -> None:
    grammar = grammar_for("deepseek_v3")
    assert grammar is not None
    head = "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n"
    call = read_calls(grammar, head + arguments + END).calls[0]
    assert call.arguments is None
    assert call.faults[0].endswith(f" at character {len(head) + failing(arguments)}")


def test_what_is_json_and_no_call_is_told_where_it_begins() -> None:
    grammar = grammar_for("hermes")
    assert grammar is not None
    problem = read_calls(grammar, 'Well. <tool_call>\n{"a": 1}\n</tool_call>').problems[0]
    assert (problem.what, problem.position) == ("no name", 6)
