"""Answers are put together from their chunks, in all the ways that servers cut them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from structag_cli.endpoint.answer import Answer, Assembly, NotACompletion, ServedCall


def chat(**delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta}]}


def call(index: int | None = 0, **function: Any) -> dict[str, Any]:
    numbered = {} if index is None else {"index": index}
    return {**numbered, "function": function}


def put_together(*chunks: Any) -> Answer:
    assembly = Assembly()
    for chunk in chunks:
        assembly.add(chunk)
    return assembly.answer(1.0, 0.5)


def test_text_of_both_apis() -> None:
    assert put_together(chat(role="assistant", content=""), chat(content="a"), chat(content="b"))
    assert put_together(chat(content="a"), chat(content="b")).text == "ab"
    assert put_together({"choices": [{"text": "a"}]}, {"choices": [{"text": "b"}]}).text == "ab"


def test_a_whole_message() -> None:
    message = {"content": "a", "tool_calls": [call(None, name="f", arguments="{}")]}
    whole = {
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2},
    }
    answer = put_together(whole)
    assert (answer.text, answer.calls) == ("a", (ServedCall("f", "{}"),))
    assert (answer.finish, answer.prompt_tokens, answer.tokens) == ("tool_calls", 1, 2)


def test_calls_in_pieces() -> None:
    answer = put_together(
        chat(tool_calls=[{"id": "1", **call(0, name="f", arguments="")}]),
        chat(tool_calls=[call(0, arguments='{"a"')]),
        chat(tool_calls=[call(1, name="g", arguments='{"b": 2'), call(0, arguments=": 1}")]),
        chat(tool_calls=[call(1, arguments="}")]),
    )
    assert answer.calls == (ServedCall("f", '{"a": 1}'), ServedCall("g", '{"b": 2}'))


def test_a_repeated_name_is_one_name() -> None:
    answer = put_together(
        chat(tool_calls=[call(0, name="f", arguments="{")]),
        chat(tool_calls=[call(0, name="f", arguments="}")]),
        chat(tool_calls=[call(0, name=None, arguments=None)]),
    )
    assert answer.calls == (ServedCall("f", "{}"),)


def test_calls_without_numbers_are_told_apart_by_id() -> None:
    answer = put_together(
        chat(tool_calls=[{"id": "1", **call(None, name="f", arguments="{")}]),
        chat(tool_calls=[call(None, arguments="}")]),
        chat(tool_calls=[{"id": "2", **call(None, name="g", arguments="{}")}]),
    )
    assert answer.calls == (ServedCall("f", "{}"), ServedCall("g", "{}"))


def test_arguments_as_an_object() -> None:
    answer = put_together(chat(tool_calls=[call(0, name="f", arguments={"a": 1})]))
    assert json.loads(answer.calls[0].arguments) == {"a": 1}


def test_reasoning_is_kept_apart_and_once() -> None:
    answer = put_together(chat(reasoning="x", reasoning_content="x"), chat(content="y"))
    assert (answer.reasoning, answer.text) == ("x", "y")


def test_other_choices_are_not_ours() -> None:
    assert put_together({"choices": [{"index": 1, "text": "no"}]}, chat(content="a")).text == "a"


def test_counts_of_the_last_chunk() -> None:
    answer = put_together(
        {**chat(content="a"), "usage": {"prompt_tokens": 5, "completion_tokens": 1}},
        {**chat(content="b"), "usage": None},
        {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}},
    )
    assert (answer.prompt_tokens, answer.tokens) == (5, 2)
    assert put_together(chat(content="a")).tokens is None
    assert put_together({**chat(content="a"), "usage": {"completion_tokens": "9"}}).tokens is None


def test_a_surrogate_pair_in_two_chunks_is_one_character() -> None:
    answer = put_together(*(json.loads(json.dumps(chat(content=c))) for c in ("\ud83d", "\ude00")))
    assert answer.text == "😀"
    assert put_together(chat(content="\ud83d")).text == "\ufffd"


@pytest.mark.parametrize(
    "chunk",
    [
        [],
        "x",
        1,
        None,
        {},
        {"ok": True},
        {"choices": "x"},
        {"choices": [1]},
        {"choices": [{"delta": "x"}]},
        {"choices": [{"delta": {"tool_calls": ["x"]}}]},
    ],
)
def test_anything_else_is_refused(chunk: Any) -> None:
    with pytest.raises(NotACompletion):
        put_together(chunk)
