"""The commands as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from structag_cli import __version__

pytestmark = pytest.mark.e2e

WEATHER = "examples/weather.json"
CASES = [
    ("hermes", "<tool_call>"),
    ("qwen25", "<tool_call>"),
    ("qwen3_coder", "<tool_call>\n<function="),
    ("nemotron_nano", "<tool_call>\n<function="),
    ("deepseek_v3_2", "<｜DSML｜function_calls>"),
    ("deepseek_v4", "<｜DSML｜tool_calls>"),
]


def test_version(structag) -> None:
    assert structag("--version").out == f"structag {__version__}\n"


@pytest.mark.parametrize(("parser", "trigger"), CASES)
def test_build(structag, parser: str, trigger: str) -> None:
    ran = structag("build", "--parser", parser, "--tools", WEATHER, "--tool-choice", "required")
    assert (ran.code, ran.err) == (0, "")
    form = json.loads(ran.out)["format"]
    assert form["triggers"] == [trigger]
    assert form["at_least_one"] is True


def test_the_same_tag_in_every_format(structag) -> None:
    arguments = ("build", "-p", "deepseek_v4", "-t", WEATHER, "-c", "required", "--format")
    tag = json.loads(structag(*arguments, "json").out)
    assert yaml.safe_load(structag(*arguments, "yaml").out) == tag
    assert "get_weather" in structag(*arguments, "tree").out
    assert "root ::=" in structag(*arguments, "ebnf").out


def test_no_tag_is_null_with_the_reason_on_stderr(structag) -> None:
    plain = ("build", "-p", "hermes", "-t", "examples/anthropic.json")
    ran = structag(*plain)
    assert (ran.code, ran.out) == (0, "null\n")
    assert ran.err.startswith("no tag: scope auto")
    assert structag(*plain, "--quiet").err == ""
    assert structag(*plain, "--require-tag").code == 1
    assert structag(*plain, "--disabled", "-c", "required").out == "null\n"


def test_flags_override_the_request(structag) -> None:
    arguments = ("build", "-p", "hermes", "-r", "examples/request.json")
    asked = json.loads(structag(*arguments).out)["format"]
    assert (asked["at_least_one"], asked["stop_after_first"]) == (True, True)
    ran = structag(*arguments, "-c", "auto", "--parallel-tool-calls", "--scope", "always")
    overridden = json.loads(ran.out)["format"]
    assert (overridden["at_least_one"], overridden["stop_after_first"]) == (False, False)
    banned = json.loads(structag(*arguments, "-c", "none").out)["format"]
    assert banned["content"] == {"type": "any_tokens", "exclude_tokens": ["<tool_call>"]}


def test_engine_payloads(structag) -> None:
    arguments = ("build", "-p", "hermes", "-t", WEATHER, "-c", "required")
    tag = json.loads(structag(*arguments).out)
    wrapped = {
        engine: json.loads(structag(*arguments, "--for", engine).out)
        for engine in ("openai", "vllm", "sglang", "trtllm", "dynamo")
    }
    assert json.loads(wrapped["vllm"]["structured_outputs"]["structural_tag"]) == tag
    for engine in ("openai", "sglang", "trtllm"):
        assert wrapped[engine]["response_format"] == tag
    assert tag in wrapped["dynamo"]["sampling_options"]["guided_decoding"].values()


def test_show_reads_what_build_writes(structag) -> None:
    tag = structag("build", "-p", "qwen3_coder", "-t", WEATHER, "-c", "required").out
    ran = structag("show", "-", stdin=tag)
    assert (ran.code, ran.err) == (0, "")
    assert "get_weather" in ran.out
    assert "--- accepted output 1\n<tool_call>\n<function=get_weather>" in ran.out
    assert (
        structag(
            "show",
            stdin=tag,
        ).out
        == ran.out
    )
    assert "\x1b" not in ran.out
    assert json.loads(structag("show", "-f", "json", stdin=tag).out) == json.loads(tag)


def test_explain_says_why(structag) -> None:
    ran = structag("explain", "-p", "hermes", "-t", WEATHER)
    assert ran.code == 0
    assert "tool get_weather is strict" in ran.out
    assert f"{WEATHER}:" in ran.out
    told = json.loads(structag("explain", "-p", "hermes", "-t", WEATHER, "-f", "json").out)
    assert told["version"] == 1
    assert told["outcome"] == "structural_tag"
    assert [tool["schema_used"] for tool in told["tools"]] == [True, False]


def test_explain_names_what_the_template_writes_and_the_tag_refuses(structag) -> None:
    ran = structag("explain", "-p", "qwen3_coder", "-t", WEATHER, "-c", "required")
    assert "The tag refuses what the model's template writes" in ran.out


def test_explain_replays_a_log(structag, tmp_path: Path) -> None:
    sample = Path(__file__).parent.parent / "data" / "dynamo-1.3.1-sample.jsonl"
    rows = [json.loads(line) for line in sample.read_text(encoding="utf-8").splitlines()]
    log = "".join(json.dumps({k: row[k] for k in ("deployment", "request")}) + "\n" for row in rows)
    ran = structag("explain", "--jsonl", "-", stdin=log)
    assert ran.code == 0
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert [a["outcome"] for a in answers] == [next(iter(row["expect"])) for row in rows]
    target = tmp_path / "out.jsonl"
    assert structag("explain", "--jsonl", "-", "-o", str(target), stdin=log).out == ""
    assert target.read_text(encoding="utf-8") == ran.out


def test_a_bad_line_of_a_log_keeps_its_place(structag) -> None:
    good = '{"deployment": {"tool_call_parser": "hermes"}, "request": {}}'
    ran = structag("explain", "--jsonl", "-", stdin=f"{good}\n{{oops\n[]\n{good}\n")
    assert ran.code == 2
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert [row["outcome"] for row in rows] == ["unconstrained", "error", "error", "unconstrained"]
    assert "-:2:2" in ran.err
    assert "-:3" in ran.err


def test_parsers(structag) -> None:
    listed = json.loads(structag("parsers", "--format", "json").out)
    tags = {p["name"] for p in listed["parsers"] if p["tag"]}
    assert {name for name, _ in CASES} <= tags
    assert "pythonic" in {p["name"] for p in listed["parsers"]}
    assert "｜DSML｜" in structag("parsers", "deepseek_v4").out
    assert structag("parsers").out.splitlines()[0].startswith("PARSER")


def test_grammar(structag, tmp_path: Path) -> None:
    assert "kimi_k2" in structag("grammar", "list").out
    assert json.loads(structag("grammar", "schema").out)["$id"]
    own = tmp_path / "own.yaml"
    own.write_text(structag("grammar", "show", "hermes", "-f", "yaml").out, encoding="utf-8")
    built = structag("build", "--grammar", str(own), "-t", WEATHER, "-c", "required")
    assert built.out == structag("build", "-p", "hermes", "-t", WEATHER, "-c", "required").out


def test_module_runs_too(structag) -> None:
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-m", "structag_cli", "--version"], capture_output=True, check=True
    )
    assert done.stdout.decode() == structag("--version").out


def test_a_closed_pipe_is_no_error(structag) -> None:
    import subprocess
    import sys

    command = Path(sys.executable).parent / "structag"
    line = f"{command} parsers | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_output_is_utf_8_whatever_the_locale(structag) -> None:
    import os
    import subprocess
    import sys

    command = Path(sys.executable).parent / "structag"
    done = subprocess.run(
        [command, "build", "-p", "deepseek_v4", "-t", WEATHER, "-c", "none"],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
        capture_output=True,
        check=True,
    )
    assert "｜DSML｜" in done.stdout.decode("utf-8")
