"""``generate --endpoint`` against our own decoding loop behind HTTP."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from time import sleep
from typing import Any

import pytest

from structag_cli.cli import make_app
from structag_cli.errors import StructagError
from structag_cli.formats.registry import grammar_for
from structag_cli.generate.run import Generator, Job
from structag_cli.generate.settings import Decoding
from structag_cli.request import ToolRequest
from tests.byte_model import byte_model
from tests.fake_server import KEY, FakeServer, Reply
from tests.model_server import ModelServer, received_tag

TOOLS = [
    {
        "name": name,
        "description": "Weather of a place",
        "inputSchema": {
            "type": "object",
            "properties": {
                "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
                "on": {"type": "boolean"},
            },
            "required": ["unit", "on"],
            "additionalProperties": False,
        },
    }
    for name in ("get_weather", "get_wind")
]
# Every field that trtllm-serve's chat request has; it refuses others.
TRTLLM_FIELDS = {
    "model",
    "messages",
    "stream",
    "stream_options",
    "max_tokens",
    "temperature",
    "top_p",
    "seed",
    "skip_special_tokens",
    "response_format",
}


@pytest.fixture(scope="module")
def generator() -> Generator:
    pytest.importorskip("torch")
    return Generator(byte_model())


@dataclass
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def run(
    server: FakeServer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps({"tools": TOOLS}))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr("structag_cli.endpoint.retries.FIRST", 0.01)

    def call(*arguments: str, parser: str = "qwen3_coder", prompt: bool = True) -> Ran:
        asked = ["generate", "-p", parser, "-t", str(tools), "--schema", "strict"]
        asked += ["--endpoint", server.url, "--model", "tiny", "--temperature", "1"]
        asked += ["--prompt", "the weather?"] * prompt
        try:
            code = make_app("generate")([*asked, *arguments], standalone_mode=False)
        except StructagError as err:
            print(f"error: {err}", file=sys.stderr)
            code = int(err.exit_code)
        seen = capsys.readouterr()
        assert KEY not in seen.out + seen.err
        return Ran(int(code or 0), seen.out, seen.err)

    return call


ONE = ("-c", "required", "--no-parallel-tool-calls", "--max-new-tokens", "900", "-f", "json")


@pytest.mark.parametrize("parser", ["qwen3_coder", "hermes", "deepseek_v4"])
@pytest.mark.parametrize("engine", ["openai", "vllm", "sglang", "trtllm"])
def test_raw_text_under_the_tag(
    server: FakeServer, generator: Generator, run: Run, parser: str, engine: str
) -> None:
    server.script = [ModelServer(generator, parser)]
    ran = run(*ONE, "--for", engine, parser=parser)
    assert ran.code == 0, ran
    made = ran.json
    assert (made["accepted"], made["broken"], made["token_ids"]) == (True, [], None)
    assert len(made["calls"]) == 1
    assert made["stats"]["tokens"] == len(made["text"].encode())
    assert made["stats"]["prompt_tokens"] == 3
    assert 0 < made["stats"]["seconds"]["first_token"] <= made["stats"]["seconds"]["total"]
    (body,) = server.seen
    assert ("structured_outputs" in body) is (engine == "vllm")
    assert received_tag(body)["type"] == "structural_tag"
    assert not {"tools", "tool_choice"} & set(body)
    assert "get_wind" in body["messages"][0]["content"]
    assert body["skip_special_tokens"] is False
    if engine == "trtllm":
        assert set(body) <= TRTLLM_FIELDS


def test_a_prompt_that_is_rendered_here(
    server: FakeServer, generator: Generator, run: Run, tmp_path: Path
) -> None:
    template = tmp_path / "chat.jinja"
    template.write_text(
        "{% for t in tools %}[{{ t.function.name }}]{% endfor %}"
        "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>"
    )
    server.script = [ModelServer(generator, "qwen3_coder")]
    ran = run(*ONE, "--template", str(template))
    assert (ran.code, ran.json["accepted"]) == (0, True)
    assert server.paths == ["/v1/completions"]
    prompt = "[get_weather][get_wind]<user>the weather?<assistant>"
    assert server.seen[0]["prompt"] == prompt
    shown = run(*ONE, "--template", str(template), "--show-prompt")
    assert json.loads(shown.out)["prompt"] == prompt
    assert len(server.seen) == 1


def test_tools_are_explained_behind_a_system_prompt_of_any_kind(run: Run, tmp_path: Path) -> None:
    messages = tmp_path / "messages.json"
    for content in ("Be brief.", [{"type": "text", "text": "Be brief."}], "", None):
        messages.write_text(json.dumps([{"role": "system", "content": content}]))
        body = run("--messages", str(messages), "--show-prompt").json
        system = body["messages"][0]["content"]
        assert isinstance(system, list) is isinstance(content, list)
        text = "".join(p["text"] for p in system) if isinstance(system, list) else system
        assert text.startswith("Be brief." if content else "")
        assert "get_wind" in text
        assert "None" not in text[:10]


def test_the_server_parses(server: FakeServer, generator: Generator, run: Run) -> None:
    server.script = [ModelServer(generator, "qwen3_coder")]
    ran = run(*ONE, "--for", "dynamo")
    assert ran.code == 0, ran
    assert ran.json["accepted"] is None
    assert ran.json["calls"][0]["valid"]
    (body,) = server.seen
    assert not {"response_format", "structured_outputs", "sampling_options"} & set(body)
    assert [tool["function"]["name"] for tool in body["tools"]] == ["get_weather", "get_wind"]
    assert (body["tool_choice"], body["parallel_tool_calls"]) == ("required", False)


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        ("auto", "auto"),
        ("get_wind", {"type": "function", "function": {"name": "get_wind"}}),
        (
            '{"type": "allowed_tools", "mode": "required", "tools": '
            '[{"type": "function", "name": "get_wind"}]}',
            {
                "type": "allowed_tools",
                "allowed_tools": {
                    "mode": "required",
                    "tools": [{"type": "function", "function": {"name": "get_wind"}}],
                },
            },
        ),
    ],
)
def test_every_choice_is_sent_in_chat_form(run: Run, choice: str, sent: Any) -> None:
    body = run("--api", "tools", "-c", choice, "--show-prompt").json
    assert body["tool_choice"] == sent


def test_the_json_has_the_keys_of_a_local_output(
    server: FakeServer, generator: Generator, run: Run
) -> None:
    server.script = [ModelServer(generator, "qwen3_coder")]
    made = run(*ONE, "--n", "2").json
    assert made["version"] == 1
    first, second = made["outputs"]
    assert [body["seed"] for body in server.seen] == [0, 1]
    assert first["text"] != second["text"]
    grammar = grammar_for("qwen3_coder")
    assert grammar is not None
    job = Job("x", ToolRequest(None), grammar, None)
    local = generator.generate([job], Decoding(max_new_tokens=3))[0].to_json()
    assert list(first) == list(local)
    assert list(first["stats"]) == list(local["stats"])


def test_text_for_people(server: FakeServer, generator: Generator, run: Run) -> None:
    server.script = [ModelServer(generator, "qwen3_coder")]
    ran = run(*ONE[:-2])
    assert "\ntag      accepts the output\n" in ran.out
    assert "first token after" in ran.out
    ran = run(*ONE[:-2], "--api", "tools")
    assert "\ntag      not judged (" in ran.out


def test_a_server_that_ignores_the_tag_is_found_out(server: FakeServer, run: Run) -> None:
    server.script = [lambda reply: reply.text("It is ", "sunny.")]
    ran = run(*ONE)
    assert ran.code == 1
    assert ran.json["broken"] == [
        "the tag does not accept the output",
        "tool_choice is required, and there is no call",
    ]


def test_an_echoed_key_is_in_no_output(server: FakeServer, run: Run, tmp_path: Path) -> None:
    server.script = [lambda reply: reply.text(f"your key is {reply.key}")]
    assert "[redacted]" in run(*ONE).out
    suite, results = tmp_path / "s.jsonl", tmp_path / "r.jsonl"
    suite.write_text('{"messages": [{"role": "user", "content": "x"}]}\n')
    run("--suite", str(suite), "--results", str(results), prompt=False)
    server.script = [lambda reply: reply.error(400, f"bad key {reply.key}")]
    run("--suite", str(suite), "--results", str(results), "--seed", "5", prompt=False)
    kept = results.read_text()
    assert kept.count("[redacted]") >= 2
    assert KEY not in kept


def test_another_variable_for_the_key(
    server: FakeServer, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script = [lambda reply: reply.text("x")]
    monkeypatch.setenv("OTHER", "sk-other")
    run(*ONE, "--key-env", "OTHER")
    run(*ONE, "--key-env", "NOT_SET_ANYWHERE")
    assert [seen.get("Authorization") for seen in server.headers] == ["Bearer sk-other", None]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--device", "cpu"), "--device is for a local model"),
        (("--dtype", "float32"), "--dtype is for a local model"),
        (("--engine", "hf"), "--engine is for a local model"),
        (("--draft", "0"), "--draft is for a local model"),
        (("--jump-forward",), "--jump-forward is for a local model"),
        (("--no-jump-forward",), "--no-jump-forward is for a local model"),
        (("--compare", "free"), "--compare is for a local model"),
        (("--api", "completions"), "there is no template"),
        (("--api", "chat", "--template", "x"), "drop --template or --api"),
        (("--for", "dynamo", "--api", "chat"), "Dynamo's frontend takes no tag"),
        (("--for", "dynamo", "--template", "x"), "Dynamo's frontend takes no tag"),
        (("--template", "no-such-model"), "no model 'no-such-model'"),
        (("--endpoint", "localhost:1"), "no scheme"),
        (("--temperature", "inf"), "--temperature inf is not a number"),
    ],
)
def test_options_that_make_no_sense(run: Run, options: tuple[str, ...], words: str) -> None:
    ran = run(*options)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "options",
    [
        ("--for", "vllm"),
        ("--api", "chat"),
        ("--template", "x"),
        ("--key-env", "X"),
        ("--retries", "0"),
        ("--timeout", "1"),
    ],
)
def test_options_of_a_server_without_one(options: tuple[str, ...]) -> None:
    arguments = ["generate", "-p", "hermes", "-t", "x", "--prompt", "x", *options]
    with pytest.raises(StructagError, match=f"{options[0]} is for a server"):
        make_app("generate")(arguments, standalone_mode=False)


def test_a_model_must_be_named() -> None:
    arguments = ["generate", "-p", "hermes", "-t", "examples/weather.json", "--prompt", "x"]
    with pytest.raises(StructagError) as caught:
        make_app("generate")([*arguments, "--endpoint", "http://h"], standalone_mode=False)
    assert "http://h/v1/models" in caught.value.mend


ROWS = "".join(
    json.dumps({"id": f"r{n}", "messages": [{"role": "user", "content": f"weather {n}"}]}) + "\n"
    for n in range(8)
)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "suite.jsonl"
    path.write_text(ROWS)
    return path


def test_a_suite(
    server: FakeServer, generator: Generator, run: Run, suite: Path, tmp_path: Path
) -> None:
    server.script = [ModelServer(generator, "qwen3_coder")]
    results = tmp_path / "results.jsonl"
    asked = (*ONE, "--suite", str(suite), "--batch", "4", "--results", str(results))
    ran = run(*asked, prompt=False)
    assert ran.code == 0, ran
    report = ran.json
    assert [record["id"] for record in report["records"]] == [f"r{n}" for n in range(8)]
    assert report["summary"]["format_valid"] == {"passed": 8, "judged": 8, "share": 1.0}
    assert report["summary"]["forced_share"] is None
    assert report["settings"]["endpoint"] == server.url
    assert len(results.read_text().splitlines()) == 8
    again = run(*asked, prompt=False)
    assert again.json["records"] == report["records"]
    assert len(server.seen) == 8


def test_a_suite_asks_as_many_at_once_as_batch_says(
    server: FakeServer, run: Run, suite: Path
) -> None:
    lock, now, most = Lock(), [0], [0]

    def slow(reply: Reply) -> None:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        sleep(0.1)
        with lock:
            now[0] -= 1
        reply.text("x")

    server.script = [slow]
    run("--suite", str(suite), "--batch", "4", prompt=False)
    assert (most[0], len(server.seen)) == (4, 8)


def test_one_failure_costs_no_other_its_result(server: FakeServer, run: Run, suite: Path) -> None:
    def third(reply: Reply) -> None:
        if "weather 2" in str(reply.body["messages"]):
            reply.error(400, "not this one")
        else:
            reply.text("x")

    server.script = [third]
    ran = run("--suite", str(suite), "--batch", "3", "-f", "json", prompt=False)
    assert ran.code == 1
    errors = {record["id"]: record["error"] for record in ran.json["records"]}
    assert "not this one" in errors.pop("r2")
    assert set(errors.values()) == {None}
    assert len(server.seen) == 8


def test_what_every_row_would_meet_ends_the_suite(
    server: FakeServer, run: Run, suite: Path, tmp_path: Path
) -> None:
    results = tmp_path / "results.jsonl"
    ok = lambda reply: reply.text("x")  # noqa: E731
    server.script = [ok, ok, lambda reply: reply.error(401, "the key has expired")]
    asked = ("--suite", str(suite), "--results", str(results))
    ran = run(*asked, prompt=False)
    assert (ran.code, ran.out) == (2, "")
    assert "the key has expired" in ran.err
    assert len(server.seen) == 3
    assert len(results.read_text().splitlines()) == 2
    server.script = [ok]
    run(*asked, prompt=False)
    assert len(server.seen) == 9


def test_a_busy_server_is_waited_for(server: FakeServer, run: Run, suite: Path) -> None:
    busy = lambda reply: reply.error(429, "busy", Retry_After="0.01")  # noqa: E731
    server.script = [busy, busy, lambda reply: reply.text("x")]
    ran = run("--suite", str(suite), "--batch", "2", "-f", "json", prompt=False)
    assert all(record["error"] is None for record in ran.json["records"])
    assert "try 1 of 3" in ran.err
