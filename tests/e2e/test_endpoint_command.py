"""``structag generate --endpoint`` as a user runs it, against a server on this machine."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fake_server import KEY, FakeServer, Reply, running_server

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).resolve().parents[2]
REQUEST = ("generate", "-p", "hermes", "-t", "examples/weather.json", "-c", "required")
CALL = (
    '<tool_call>\n{"name": "get_weather", "arguments": ',
    '{"city": "Pa',
    'ris", "unit": "celsius"}}\n</tool_call>',
)


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with running_server() as fake:
        yield fake


def test_one_answer(structag, server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    busy = lambda reply: reply.error(429, f"{reply.key} is busy", Retry_After="0.01")  # noqa: E731
    server.script = [busy, lambda reply: reply.text(*CALL)]
    asked = ("--prompt", "Paris?", "--endpoint", server.url, "-m", "tiny", "--for", "vllm")
    ran = structag(*REQUEST, *asked, "--format", "json")
    assert ran.code == 0, ran.err
    value = json.loads(ran.out)
    assert (value["accepted"], value["text"]) == (True, "".join(CALL))
    assert value["calls"][0]["arguments"] == {"city": "Paris", "unit": "celsius"}
    assert ran.err.startswith("the server is busy or down (HTTP 429): [redacted] is busy; try 1")
    assert KEY not in ran.out + ran.err
    assert server.headers[1]["Authorization"] == f"Bearer {KEY}"


def test_faults_have_their_status_and_one_line(structag, server: FakeServer) -> None:
    def breaks(reply: Reply) -> None:
        reply.begin()
        reply.event(reply.chunk(CALL[0]))
        reply.drop()

    server.script = [breaks]
    asked = (*REQUEST, "--prompt", "Paris?", "-m", "tiny", "--retries", "0")
    ran = structag(*asked, "--endpoint", server.url)
    assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1)
    assert "the answer is truncated after 49 characters" in ran.err
    assert "get_weather" in ran.err
    server.script = [lambda reply: reply.error(400, "no structural tags here")]
    ran = structag(*asked, "--endpoint", server.url)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "no structural tags here" in ran.err


def test_an_interrupt_ends_a_suite_at_once_and_keeps_what_is_done(
    server: FakeServer, tmp_path: Path
) -> None:
    def answers_once(reply: Reply) -> None:
        if len(server.seen) == 1:
            reply.text(*CALL)
            return
        reply.begin()
        reply.event(reply.chunk(CALL[0]))
        time.sleep(20)

    server.script = [answers_once]
    suite, results = tmp_path / "suite.jsonl", tmp_path / "results.jsonl"
    row = {"messages": [{"role": "user", "content": "Paris?"}]}
    suite.write_text(f"{json.dumps(row)}\n" * 5)
    command = [Path(sys.executable).parent / "structag", *REQUEST, "-m", "tiny"]
    command += ["--endpoint", server.url, "--suite", suite, "--results", results, "--batch", "2"]
    running = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    while not (results.exists() and results.read_text().endswith("\n")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=10)
    assert running.returncode == 130
    assert "the same command goes on with what" in err
    assert len(results.read_text().splitlines()) == 1
