"""The verdicts on answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from structag_cli.dialects import read_tools
from structag_cli.endpoint.answer import Answer, ServedCall
from structag_cli.endpoint.judge import Ask, judged
from structag_cli.endpoint.key import Key
from structag_cli.generate.result import Generation
from structag_cli.pipeline import answer as decided
from structag_cli.policy.settings import Deployment
from structag_cli.request import ToolChoice, ToolRequest
from structag_cli.sources import Document
from tests.fake_server import KEY

TOOLS = [
    {
        "name": "get_weather",
        "description": "x",
        "input_schema": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
    {"name": "ping", "description": "x", "input_schema": {"type": "object"}},
]
CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'


def ask(way: str = "chat", choice: str = "required", *, in_reasoning: bool = False) -> Ask:
    request = ToolRequest(
        read_tools(Document(TOOLS, "x")),
        ToolChoice(choice),  # type: ignore[arg-type]
        messages=({"role": "user", "content": "x"},),
    )
    made = decided(
        request,
        Deployment(
            "hermes",
            scope="always",
            schema="strict",
            exclude_tools_on_none=False,
            starts_in_reasoning=in_reasoning,
        ),
    )
    assert made.grammar is not None
    tag = None if made.tag is None else made.tag.to_json()
    return Ask(way, {}, request, made.grammar, tag, in_reasoning)  # type: ignore[arg-type]


def answered(text: str = "", *calls: ServedCall, finish: str = "stop", **more: Any) -> Answer:
    values = {"reasoning": "", "prompt_tokens": 3, "tokens": 9, "seconds": 2.0}
    return Answer(text=text, calls=calls, finish=finish, first_seconds=0.5, **{**values, **more})


def judge(asked: Ask, answer: Answer, key: str | None = None) -> Generation:
    return judged(asked, answer, Key(key))


def test_raw_text_is_checked_as_a_local_output_is() -> None:
    made = judge(ask(), answered(CALL))
    assert (made.accepted, made.broken, made.token_ids) == (True, (), None)
    assert [call.to_json() for call in made.calls] == [
        {"name": "get_weather", "arguments": {"city": "Paris"}, "valid": True, "errors": []}
    ]
    assert made.to_json()["stats"]["tokens_per_second"] == 4.5


@pytest.mark.parametrize("text", ["no call", CALL.replace("city", "town"), CALL[:-3], CALL + "x<"])
def test_what_the_tag_refuses(text: str) -> None:
    made = judge(ask(), answered(text))
    assert made.accepted is (text == CALL + "x<")
    assert bool(made.broken) is (text != CALL + "x<")


@pytest.mark.parametrize("token", ["<|im_end|>", "</s>", "<｜end▁of▁sentence｜>"])
def test_an_end_token_is_no_text(token: str) -> None:
    made = judge(ask(), answered(CALL + token))
    assert (made.text, made.accepted) == (CALL, True)
    cut = judge(ask(), answered(CALL + token, finish="length"))
    assert cut.text == CALL + token


def test_a_cut_answer() -> None:
    made = judge(ask(), answered(CALL, finish="length"))
    assert (made.accepted, made.finish_reason) == (False, "length")
    assert made.broken == ("cut at the token limit (--max-new-tokens)",)


def test_another_end() -> None:
    made = judge(ask(), answered(CALL, finish="content_filter"))
    assert made.broken == ("the server ended the output: content_filter",)


def test_calls_that_the_server_parsed() -> None:
    call = ServedCall("get_weather", '{"city": "Paris"}')
    made = judge(ask("tools"), answered(" hi ", call, finish="tool_calls"))
    assert (made.accepted, made.finish_reason, made.broken) == (None, "stop", ())
    assert (made.content, made.calls[0].arguments) == ("hi", {"city": "Paris"})
    assert made.honours.tool_choice
    assert made.to_json()["accepted"] is None


@pytest.mark.parametrize(
    ("call", "errors"),
    [
        (ServedCall("get_weather", "{}"), "/: 'city' is a required property"),
        (ServedCall("get_weather", ""), "/: 'city' is a required property"),
        (ServedCall("nothing", "{}"), "no tool named 'nothing'"),
        (ServedCall("", "{}"), "no tool named ''"),
        (ServedCall("ping", "[1]"), "the arguments are no JSON object: [1]"),
        (ServedCall("ping", "null"), "the arguments are no JSON object: null"),
        (ServedCall("ping", '{"a": '), "not JSON"),
        (ServedCall("ping", "{} {}"), "text stands behind the arguments: {} {}"),
        (ServedCall("ping", '{"a": NaN}'), "NaN is no JSON number"),
        (ServedCall("ping", "[" * 100_000), "nested too deep"),
    ],
)
def test_calls_that_are_wrong(call: ServedCall, errors: str) -> None:
    made = judge(ask("tools"), answered("", call, finish="tool_calls"))
    assert not made.calls[0].valid
    assert errors in made.calls[0].errors[0]
    assert made.broken


def test_a_call_without_arguments_is_one_with_none() -> None:
    made = judge(ask("tools"), answered("", ServedCall("ping", ""), finish="tool_calls"))
    assert (made.calls[0].arguments, made.broken) == ({}, ())


def test_a_call_that_the_server_left_in_the_text() -> None:
    made = judge(ask("tools", "auto"), answered(CALL))
    assert made.broken == ("at character 0: the server left a call of get_weather in the text",)


def test_the_choice_is_held_against_parsed_calls() -> None:
    call = ServedCall("ping", "{}")
    assert "tool_choice is none" in judge(ask("tools", "none"), answered("", call)).broken[0]
    assert "there is no call" in judge(ask("tools"), answered("hello")).broken[0]


def test_a_tag_that_speaks_of_tokens_is_not_judged_by_text() -> None:
    asked = ask(choice="none")
    assert asked.tag is not None
    assert judge(asked, answered("hello")).accepted is None


def test_reasoning_apart_is_no_refusal_where_the_tag_speaks_of_it() -> None:
    apart = answered(CALL, reasoning="hm")
    assert judge(ask(in_reasoning=False), apart).accepted is True
    refused = replace(apart, text="no call")
    assert judge(ask(in_reasoning=True), refused).accepted is None
    assert judge(ask(in_reasoning=False), refused).accepted is False


def test_without_counts_and_times() -> None:
    made = judge(ask(), answered(CALL, tokens=None, prompt_tokens=None))
    stats = made.to_json()["stats"]
    assert (stats["tokens"], stats["tokens_per_second"]) == (None, None)
    assert stats["seconds"] == {"total": 2.0, "first_token": 0.5}


def test_the_key_is_taken_out_of_everything() -> None:
    text = CALL.replace("Paris", KEY.replace("/", "\\/")) + f" {KEY}"
    made = judge(ask(), answered(text), KEY)
    assert KEY not in str(made.to_json())
    assert (made.accepted, made.calls[0].valid) == (True, True)
    call = ServedCall(KEY, f'{{"{KEY}": "{KEY}"}}')
    parsed = judge(ask("tools"), answered(KEY, call, finish=KEY), KEY)
    assert KEY not in str(parsed.to_json())
    assert KEY not in str(parsed)


def test_without_a_tag_there_is_nothing_to_accept() -> None:
    untagged = replace(ask(), tag=None)
    assert judge(untagged, answered("hello")).accepted is None
    assert judge(untagged, answered("hel", finish="length")).accepted is None
