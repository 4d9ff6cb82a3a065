"""``structag lint``, ``check`` and ``rule`` through the installed command."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.e2e

TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Weather of a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "maxLength": 20}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}


def run(*args, stdin=None):
    command = [sys.executable, "-m", "structag_cli", *args]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=120)


@pytest.fixture
def tools(tmp_path):
    path = tmp_path / "tools.json"
    path.write_text(json.dumps([TOOL]))
    return str(path)


def test_deep_lint_shows_a_witness_and_fails(tools):
    done = run("lint", tools, "--format", "json")
    assert done.returncode == 1, done.stderr
    found = {f["code"]: f for f in json.loads(done.stdout)["findings"]}
    assert found["S106"]["effect"] == "forbids"
    assert found["S106"]["witness"]["valid"] is True
    assert found["S106"]["line"] == 1
    assert done.stderr == ""


def test_static_lint_is_light(tools):
    code = (
        "import sys; from structag_cli.cli import main\n"
        f"sys.argv = ['structag', 'lint', '--no-deep', {tools!r}]\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        "heavy = {'xgrammar', 'torch', 'transformers', 'tokenizers'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_one_broken_file_costs_no_other(tmp_path, tools):
    (tmp_path / "broken.json").write_text('[{"name": ')
    (tmp_path / "latin.json").write_bytes(b'{"name": "\xe9"}')
    done = run("lint", str(tmp_path), "--no-deep", "--format", "json")
    assert done.returncode == 1
    codes = [f["code"] for f in json.loads(done.stdout)["findings"]]
    assert codes == ["E001", "E001"]


def test_select_ignore_and_baseline(tmp_path, tools):
    assert run("lint", tools, "--select", "S106", "--ignore", "S").returncode == 1
    assert run("lint", tools, "--ignore", "S").returncode == 0
    known = str(tmp_path / "known.json")
    assert run("lint", tools, "--write-baseline", known).returncode == 0
    done = run("lint", tools, "--baseline", known)
    assert (done.returncode, done.stdout) == (0, "nothing found in 1 file\n")


def test_settings_of_the_project(tmp_path, tools):
    config = tmp_path / "structag.toml"
    config.write_text('[lint]\nfail-on = "never"\n')
    assert run("lint", tools, "--config", str(config)).returncode == 0
    config.write_text("[lint]\nfail = 1\n")
    done = run("lint", tools, "--config", str(config))
    assert done.returncode == 2
    assert "fail" in done.stderr


def test_unknown_codes_are_refused(tools):
    done = run("lint", tools, "--select", "X9")
    assert (done.returncode, "no rule X9" in done.stderr) == (2, True)


def text(arguments):
    call = json.dumps({"name": "get_weather", "arguments": arguments})
    return f"<tool_call>\n{call}\n</tool_call>"


def test_check_tells_right_wrong_and_cut(tmp_path, tools):
    log = tmp_path / "outputs.jsonl"
    outputs = [text({"city": "Paris"}), text({"city": 3}), text({"city": "Paris"})[:40]]
    log.write_text("".join(json.dumps(each) + "\n" for each in outputs))
    flags = ("--parser", "hermes", "--tools", tools, "--tool-choice", "required")
    done = run("check", *flags, "--schema", "strict", str(log), "--format", "json")
    assert done.returncode == 1, done.stderr
    right, wrong, cut = json.loads(done.stdout)["outputs"]
    assert (right["accepted"], right["complete"], right["passed"]) == (True, True, True)
    assert (wrong["accepted"], wrong["complete"]) == (False, True)
    assert wrong["position"] == {"byte": 58, "line": 2, "column": 47}
    assert (cut["accepted"], cut["complete"]) == (False, False)


def test_check_of_stdin(tools):
    flags = ("--parser", "hermes", "--tools", tools, "--tool-choice", "required")
    done = run("check", *flags, "-", "--format", "json", stdin=text({"city": "Paris"}))
    assert done.returncode == 0, done.stderr
    value = json.loads(done.stdout)
    assert value["honours"]["tool_choice"] is True
    assert value["calls"][0]["arguments"] == {"city": "Paris"}


def test_rule_prints_its_page():
    assert run("rule", "s106").stdout.startswith("# S106: escapes-refused")
    assert "S106" in run("rule").stdout
    assert run("rule", "S999").returncode == 2


WORKER = """\
apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: {name: a}
spec:
  services:
    %s:
      extraPodSpec:
        mainContainer:
          command: [python3, -m, dynamo.vllm]
          args: [--model, m, --dyn-tool-call-parser, qwen3_coder%s]
"""


@pytest.mark.parametrize("enabled", [True, False])
def test_for_a_worker_of_a_deployment(structag, tmp_path, enabled) -> None:
    """Its parser and its switches decide, not the defaults."""
    manifest = tmp_path / "deploy.yaml"
    manifest.write_text(WORKER % ("Decode", ", --dyn-enable-structural-tag" if enabled else ""))
    parameters = {"type": "object", "properties": {}, "additionalProperties": False}
    function = {"name": "f", "description": "Do.", "parameters": parameters, "strict": True}
    request = {
        "messages": [{"role": "user", "content": "go"}],
        "tools": [{"type": "function", "function": function}],
    }
    path = tmp_path / "request.json"
    path.write_text(json.dumps(request))
    options = ("-d", str(manifest), "--worker", "Decode", "--no-deep", "-f", "json")
    ran = structag("lint", *options, "--select", "R005", str(path))
    codes = {found["code"] for found in json.loads(ran.out)["findings"]}
    assert codes == (set() if enabled else {"R005"})
    missing = structag("lint", "-d", str(manifest), "--worker", "Prefill", str(path))
    assert missing.code == 2
    assert "Decode" in missing.err
