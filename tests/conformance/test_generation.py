"""Requests of the tool corpus on random weights: what a tag promises, every output keeps.

Random weights choose nearly blindly among the tokens that the mask allows, so they find
what a trained model seldom tries. At temperature 1, with several seeds; outputs that the
limit cuts are counted and not judged. STRUCTAG_FULL runs 60 requests a parser.

Two things xgrammar lets through that a parser cannot read: JSON numbers beyond the range
of a double, and in XML styles a value's end inside a JSON string. Such outputs are told
apart, and must really hold what excuses them.
"""

from __future__ import annotations

import gzip
import json
import math
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from structag_cli.builder.build import string_ban_tag
from structag_cli.dialects import tool_request_from_value
from structag_cli.generate.closing import favour
from structag_cli.generate.models import load_model
from structag_cli.generate.prompts import prompt_text
from structag_cli.generate.result import Generation
from structag_cli.generate.run import Generator, Job
from structag_cli.generate.settings import Decoding
from structag_cli.pipeline import answer
from structag_cli.policy.settings import Deployment
from structag_cli.request import ToolChoice, ToolRequest

pytestmark = pytest.mark.conformance

PARSERS = ("hermes", "qwen25", "qwen3_coder", "nemotron_nano", "deepseek_v3_2", "deepseek_v4")
SAMPLE = Path(__file__).resolve().parents[1] / "data" / "tool-corpus-sample.jsonl"
FULL = bool(os.environ.get("STRUCTAG_FULL"))
REQUESTS = 60 if FULL else 16
EVERY = 1162 // REQUESTS
BATCH = 10
SETTINGS = Decoding(max_new_tokens=300, temperature=1.0, draft=0)
RANDOM = "random:smollm2,hidden=32,layers=1,closing=8"
_LAST_END = re.compile(r".*(?:</tool_call>|</function>|invoke>|calls>)", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?[eE][+-]?\d+|\d{309,}")


def corpus() -> list[dict[str, Any]]:
    """Rows from all over the corpus, or the sample where it is not at hand."""
    path = Path(__file__).resolve().parents[3] / "shared" / "tool-corpus" / "bfcl.jsonl.gz"
    if not path.exists():
        return [json.loads(line) for line in SAMPLE.read_text().splitlines()]
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    return rows[::EVERY][:REQUESTS]


@pytest.fixture(scope="module")
def generator() -> Generator:
    return Generator(load_model(RANDOM))


def requests(**fields: Any) -> Iterator[ToolRequest]:
    for row in corpus():
        value = {"messages": row["messages"], "tools": row["tools"], **fields}
        yield tool_request_from_value(value, row["id"])


def job(generator: Generator, request: ToolRequest, parser: str) -> Job:
    found = answer(request, Deployment(parser, schema="strict"))
    assert found.grammar is not None
    prompt = prompt_text(
        generator.loaded.chat_template, request, found.grammar, exclude_tools_on_none=True
    )
    return Job(prompt, request, found.grammar, None if found.tag is None else found.tag.to_json())


def outputs(generator: Generator, jobs: list[Job], seed: int) -> list[Generation]:
    """The finished outputs."""
    settings = replace(SETTINGS, seed=seed)
    made: list[Generation] = []
    for at in range(0, len(jobs), BATCH):
        batch = jobs[at : at + BATCH]
        made += generator.generate(batch, settings, streams=range(at, at + len(batch)))
    return [output for output in made if output.finish_reason == "stop"]


def beyond_doubles(calls: str) -> bool:
    return any(math.isinf(float(number)) for number in _NUMBER.findall(calls))


def end_inside_value(calls: str) -> bool:
    """Whether more values of an XML style end than begin."""
    ends = re.findall(r"</[^<>]*parameter>", calls)
    return len(ends) > len(re.findall(r"<[^</>]*parameter\b", calls))


def excused(output: Generation) -> bool:
    """Whether the calls hold what xgrammar accepts and no parser can read."""
    calls = _LAST_END.match(output.text)
    return calls is not None and (beyond_doubles(calls.group()) or end_inside_value(calls.group()))


def assert_kept(output: Generation) -> None:
    assert output.accepted, output.text
    assert not output.broken or excused(output), (output.broken, output.text)


@pytest.mark.parametrize("parser", PARSERS)
def test_required_outputs_are_accepted_read_and_valid(generator: Generator, parser: str) -> None:
    jobs = [job(generator, request, parser) for request in requests(tool_choice="required")]
    finished = outputs(generator, jobs, seed=PARSERS.index(parser))
    assert len(finished) >= len(jobs) // 5, f"{len(finished)} of {len(jobs)} came to an end"
    for output in finished:
        assert_kept(output)
    kept = [output for output in finished if not output.broken]
    assert all(output.calls for output in kept)
    assert len(kept) >= len(finished) * 2 // 3


@pytest.mark.parametrize("parser", ["hermes", "deepseek_v4"])
def test_without_parallel_calls_there_is_one(generator: Generator, parser: str) -> None:
    wanted = requests(tool_choice="required", parallel_tool_calls=False)
    jobs = [job(generator, request, parser) for request in wanted]
    finished = outputs(generator, jobs, seed=7)
    assert finished
    for output in finished:
        assert_kept(output)
        assert len(output.calls) <= 1


@pytest.mark.parametrize("parser", ["hermes", "qwen3_coder"])
def test_a_named_tool_is_the_one_that_is_called(generator: Generator, parser: str) -> None:
    jobs = []
    for request in requests():
        assert request.tools
        last = ToolChoice("named", request.tools[-1].name)
        jobs.append(job(generator, replace(request, choice=last), parser))
    finished = outputs(generator, jobs, seed=11)
    assert any(output.calls for output in finished)
    for output in finished:
        # `broken` says so where another tool is called.
        assert_kept(output)


@pytest.mark.parametrize("parser", PARSERS)
def test_guesses_change_no_token(generator: Generator, parser: str) -> None:
    """Forced text has many spellings in a real vocabulary; a guess must not choose another."""
    for request in [*requests(tool_choice="required")][:4]:
        one = job(generator, request, parser)
        plain = replace(SETTINGS, max_new_tokens=60, temperature=0.0)
        (step,) = generator.generate([one], plain)
        (fast,) = generator.generate([one], replace(plain, draft=32))
        assert fast.token_ids == step.token_ids


@pytest.mark.parametrize("parser", ["hermes", "deepseek_v4"])
def test_none_with_a_ban_by_string_yields_no_call(parser: str) -> None:
    """On weights that like to write the start of a call, as one token or in pieces."""
    eager = Generator(load_model("random:smollm2,hidden=32,layers=1"))
    loaded = eager.loaded
    jobs = [job(eager, request, parser) for request in requests(tool_choice="none")]
    starts = jobs[0].grammar.ban.tokens
    favour(
        loaded.model,
        loaded.tokenizer.encoder(),
        loaded.tokenizer.pieces,
        loaded.tokenizer.stop_ids(),
        8.0,
        texts=starts,
    )
    free = outputs(eager, [replace(each, tag=None) for each in jobs], seed=13)
    assert any(start in output.text for output in free for start in starts)
    banned = [replace(each, tag=string_ban_tag(starts).to_json()) for each in jobs]
    finished = outputs(eager, banned, seed=13)
    assert finished
    for output in finished:
        assert output.accepted
        assert not output.calls
        assert not output.broken
        assert not any(start in output.text for start in starts)
