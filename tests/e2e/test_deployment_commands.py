"""Deployments through the installed command."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).resolve().parents[2]
PINNED = "tests/data/deployments/pinned.yaml"
QUICK = "tests/data/deployments/quick-start.yaml"
TOOLS = "examples/weather.json"
HEAVY = ("xgrammar", "torch", "transformers", "tokenizers", "numpy", "jsonschema", "jinja2")
PROBE = f"""
import sys
from structag_cli.cli import main
try:
    main()
except SystemExit:
    pass
print("HEAVY", [name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)
"""


def test_build_as_with_single_flags(structag):
    flags = ["-p", "qwen3_coder", "--scope", "always", "--schema", "strict", "-t", TOOLS]
    for choice in ("auto", "none", "required", "get_weather"):
        one = structag("build", "-d", PINNED, "-t", TOOLS, "-c", choice)
        two = structag("build", *flags, "-c", choice)
        assert (one.code, one.out) == (two.code, two.out) == (0, one.out)


def test_flags_beat_the_manifest(structag):
    ran = structag("build", "-d", PINNED, "-t", TOOLS, "--scope", "auto", "--disabled")
    assert (ran.code, ran.out) == (0, "null\n")
    assert "switched off" in ran.err


def test_explain_names_the_lines(structag):
    ran = structag("explain", "-d", PINNED, "-t", TOOLS)
    assert f"[--dyn-structural-tag-scope, {PINNED}:38]" in ran.out
    assert f"tool_call_parser: qwen3_coder  [{PINNED}:35]" in ran.out
    assert "worker: SGLangWorker" in ran.out


def test_the_matrix(structag):
    ran = structag("explain", "-d", QUICK, "-f", "json")
    value = json.loads(ran.out)
    (worker,) = value["workers"]
    gets = {
        (row["tool_choice"], row["strict"], row["parallel_tool_calls"]): row
        for row in worker["matrix"]
    }
    assert len(gets) == 16
    assert gets["auto", False, True]["outcome"] == "unconstrained"
    assert gets["auto", True, True]["schema_used"] is True
    assert gets["auto", False, False]["stop_after_first"] is True
    assert gets["none", False, True]["banned"] == ["<tool_call>"]
    assert gets["named", False, False]["at_least_one"] is True
    (here,) = [row for row in worker["on_tool_choice_none"] if row["this_deployment"]]
    assert (here["exclude_tools"], here["tags"]) == (True, True)
    text = structag("explain", "-d", QUICK).out
    assert "> exclude tools yes  tags yes" in text


def test_a_deployment_from_stdin_and_as_arguments(structag):
    manifest = (ROOT / PINNED).read_text()
    piped = structag("explain", "-d", "-", stdin=manifest)
    assert piped.code == 0
    assert "scope: always  [-:38]" in piped.out
    args = "--dyn-tool-call-parser hermes --dyn-enable-structural-tag"
    ran = structag("build", "--deployment-args", args, "-t", TOOLS, "-c", "required")
    assert json.loads(ran.out)["type"] == "structural_tag"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-d", "nowhere.yaml", "-t", TOOLS], "no such file"),
        (["-d", QUICK, "--deployment-args", "x", "-t", TOOLS], "two deployments"),
        (["--worker", "x", "-p", "hermes", "-t", TOOLS], "without a deployment"),
        (["-d", QUICK, "--worker", "Nobody", "-t", TOOLS], "no worker 'Nobody'"),
        (["--deployment-args", "'x", "-t", TOOLS], "quote"),
    ],
)
def test_errors(structag, arguments, message):
    ran = structag("build", *arguments)
    assert ran.code == 2
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_a_fault_of_the_manifest_is_a_warning(structag):
    args = "--dyn-tool-call-parser hermes --dyn-enable-structural-tag --dyn-structural-tag-scope x"
    ran = structag("build", "--deployment-args", args, "-t", TOOLS, "-c", "required")
    assert ran.code == 0
    assert "cannot be 'x'" in ran.err
    assert ran.err.count("warning:") == 1


def test_init_lint_explain(structag, tmp_path):
    made = structag("init", "--model", "Qwen/Qwen3-8B", "-o", str(tmp_path / "new"))
    assert made.code == 0
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == [
        "deployment.yaml",
        "request.json",
        "worker.sh",
    ]
    assert structag("lint", "--no-deep", str(tmp_path / "new")).code == 0
    for name in ("deployment.yaml", "worker.sh"):
        deployment = str(tmp_path / "new" / name)
        request = str(tmp_path / "new" / "request.json")
        ran = structag("explain", "-d", deployment, "-r", request)
        assert ran.out.startswith("The engine receives a structural tag.")


def test_init_without_answers(structag):
    assert structag("init").code == 2
    ran = structag("init", "--model", "somebody/unknown")
    assert (ran.code, "--parser NAME" in ran.err) == (2, True)


@pytest.mark.parametrize(
    "arguments",
    [
        ["explain", "-d", PINNED],
        ["explain", "-d", PINNED, "-t", TOOLS],
        ["build", "-d", PINNED, "-t", TOOLS, "-c", "required"],
        ["lint", "--no-deep", PINNED],
        ["init", "--model", "Qwen/Qwen3-8B"],
        ["prefix", "--help"],
    ],
    ids=" ".join,
)
def test_nothing_heavy_is_imported(arguments):
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    loaded = done.stderr.rpartition("HEAVY")[2]
    assert loaded.strip() == "[]"
