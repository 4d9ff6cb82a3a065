"""The decoding loop on random weights over a byte vocabulary: no downloads, milliseconds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from structag_cli.dialects import read_tools
from structag_cli.generate.run import Generator, Job
from structag_cli.generate.settings import Decoding
from structag_cli.pipeline import answer
from structag_cli.policy.settings import Deployment
from structag_cli.request import ToolChoice, ToolRequest
from structag_cli.sources import Document
from tests.byte_model import byte_model

PARSERS = ("hermes", "qwen25", "qwen3_coder", "nemotron_nano", "deepseek_v3_2", "deepseek_v4")
# Every argument has an end that random weights find: enums, booleans, short lists.
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "parameters": {
                "type": "object",
                "properties": {
                    "unit": {"type": "string", "enum": ["celsius", "fahrenheit", "kelvin"]},
                    "on": {"type": "boolean"},
                    "many": {
                        "type": "array",
                        "items": {"type": "boolean"},
                        "minItems": 1,
                        "maxItems": 2,
                    },
                },
                "required": ["unit", "on", "many"],
                "additionalProperties": False,
            },
        },
    }
    for name in ("get_weather", "get_wind")
]


@pytest.fixture(scope="module")
def generator() -> Generator:
    pytest.importorskip("torch")
    return Generator(byte_model())


def job(parser: str, prompt: str = "weather, please", **request: Any) -> Job:
    tools = read_tools(Document(TOOLS, "x"))
    asked = ToolRequest(
        tools,
        messages=({"role": "user", "content": "the weather in celsius"},),
        **{"choice": ToolChoice("required"), "parallel_tool_calls": False, **request},
    )
    result = answer(asked, Deployment(parser, schema="strict"))
    assert result.grammar is not None
    tag: Mapping[str, Any] | None = None if result.tag is None else result.tag.to_json()
    return Job(prompt, asked, result.grammar, tag)


STEP = Decoding(max_new_tokens=700, jump_forward=False, draft=0)


@pytest.mark.parametrize("parser", PARSERS)
def test_jumps_and_guesses_change_no_greedy_text(generator: Generator, parser: str) -> None:
    """On bytes there is one tokenization, so every path must give the same tokens."""
    (step,) = generator.generate([job(parser)], STEP)
    for settings in (
        Decoding(max_new_tokens=700, draft=0),
        Decoding(max_new_tokens=700, draft=5),
        Decoding(max_new_tokens=700, draft=64),
    ):
        (fast,) = generator.generate([job(parser)], settings)
        assert fast.token_ids == step.token_ids
        assert fast.finish_reason == step.finish_reason
        assert fast.stats.passes < step.stats.passes


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("parser", PARSERS)
def test_guesses_change_no_token(generator: Generator, parser: str, temperature: float) -> None:
    """Not at random either: a choice takes one number from the stream, guessed or not."""
    plain = Decoding(max_new_tokens=700, temperature=temperature, draft=0)
    (step,) = generator.generate([job(parser)], plain)
    for draft in (1, 7, 64):
        (fast,) = generator.generate([job(parser)], replace(plain, draft=draft))
        assert fast.token_ids == step.token_ids


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("seed", range(3))
def test_random_outputs_keep_every_promise(generator: Generator, parser: str, seed: int) -> None:
    settings = Decoding(max_new_tokens=1500, temperature=1.0, seed=seed)
    (result,) = generator.generate([job(parser)], settings)
    if result.finish_reason == "stop":
        assert result.accepted
        assert len(result.calls) == 1
        assert result.broken == ()
    else:
        assert result.broken[0].startswith("cut at the token limit")


def test_a_named_tool_is_the_one_called(generator: Generator) -> None:
    named = job("hermes", choice=ToolChoice("named", "get_wind"))
    (result,) = generator.generate([named], Decoding(max_new_tokens=700, temperature=1.0))
    assert [call.name for call in result.calls] == ["get_wind"]
    assert result.honours.tool_choice


def test_the_same_seed_gives_the_same_text(generator: Generator) -> None:
    settings = Decoding(max_new_tokens=80, temperature=1.0, seed=5)
    texts = {generator.generate([job("hermes")], settings)[0].text for _ in range(3)}
    assert len(texts) == 1
    other = Decoding(max_new_tokens=80, temperature=1.0, seed=6)
    assert generator.generate([job("hermes")], other)[0].text not in texts


def test_a_batch_of_different_grammars_gives_what_each_gives_alone(generator: Generator) -> None:
    jobs = [job("hermes"), job("qwen3_coder", "a longer prompt than the first"), job("deepseek_v4")]
    settings = Decoding(max_new_tokens=700, draft=8)
    alone = [generator.generate([one], settings)[0].text for one in jobs]
    together = [result.text for result in generator.generate(jobs, settings)]
    assert together == alone


def test_the_kept_prefix_changes_nothing(generator: Generator) -> None:
    settings = Decoding(max_new_tokens=700)
    first = generator.generate([job("hermes", "shared prefix, then this")], settings)[0]
    generator.generate([job("hermes", "shared prefix, then that")], settings)
    again = generator.generate([job("hermes", "shared prefix, then this")], settings)[0]
    assert again.token_ids == first.token_ids


def test_a_cut_output_says_so(generator: Generator) -> None:
    (result,) = generator.generate([job("hermes")], Decoding(max_new_tokens=20))
    assert (result.finish_reason, result.accepted, len(result.token_ids)) == ("length", False, 20)
    assert result.broken


def test_json_contract(generator: Generator) -> None:
    (result,) = generator.generate([job("hermes")], Decoding(max_new_tokens=700))
    value = json.loads(json.dumps(result.to_json()))
    assert value["version"] == 1
    assert set(value) >= {
        "text",
        "token_ids",
        "finish_reason",
        "accepted",
        "calls",
        "honours",
        "stats",
    }
    assert "".join(segment.text for segment in result.segments) == result.text


def test_without_a_tag_everything_is_free(generator: Generator) -> None:
    free = Job("x", job("hermes").request, job("hermes").grammar, None)
    (result,) = generator.generate([free], Decoding(max_new_tokens=10, temperature=1.0))
    assert result.stats.free == len(result.token_ids)
