"""Deployments under lint: the clean ones are clean, each broken one has its one finding."""

from pathlib import Path

import pytest

from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings

DATA = Path(__file__).resolve().parents[2] / "data" / "deployments"
PINNED = (DATA / "pinned.yaml").read_text()
QUICK = (DATA / "quick-start.yaml").read_text()
ITEM = "          - "
ENV = """          env:
          - name: DYN_ENABLE_STRUCTURAL_TAG
            value: {}
"""
SECOND = """  - name: Second
    type: worker
    podTemplate:
      spec:
        containers:
        - name: main
          command: [python3, -m, dynamo.sglang]
          args:
          - --model-path
          - Qwen/Qwen3.5-4B
          - --served-model-name
          - Qwen/Qwen3.5-4B
"""


def findings(text, tmp_path, target=None, name="d.yaml"):
    path = tmp_path / name
    path.write_text(text)
    settings = Settings(deep=False, target=target)
    return list(lint([str(path)], settings, Selection()))


def replaced(old, new, text=PINNED):
    assert old in text
    return text.replace(old, new)


def items(*words):
    return "".join(f"{ITEM}{word}\n" for word in words)


def with_items(text, *words):
    return text + items(*words)


def on_frontend(*words):
    """The pinned example whose Frontend has arguments."""
    image = "          image: ${RUNTIME_IMAGE}\n"
    at = PINNED.index(image) + len(image)
    return PINNED[:at] + "          args:\n" + items(*words) + PINNED[at:]


OFF = "          - --dyn-enable-structural-tag\n"
PARSER = items("--dyn-tool-call-parser", "qwen3_coder")
WHOLE = {"--dyn-structural-tag": '\'{"scope": "always", "schmea": "strict"}\''}

BROKEN = {
    "misspelt flag": (
        replaced("--dyn-structural-tag-scope", "--dyn-structural-tag-scop"),
        "D001",
        "--dyn-structural-tag-scop\n",
    ),
    "misspelt switch": (replaced(OFF, OFF.replace("enable", "enabled")), "D001", "--dyn-enabled"),
    "underscores": (
        replaced("--dyn-tool-call-parser", "--dyn_tool_call_parser"),
        "D001",
        "--dyn_tool",
    ),
    "flag and value in one item": (
        replaced(PARSER, items("--dyn-tool-call-parser qwen3_coder")),
        "D001",
        "--dyn-tool-call-parser qwen3_coder",
    ),
    "misspelt variable": (
        QUICK.replace(OFF, "") + ENV.format('"true"').replace("_TAG", "_TAGS"),
        "D001",
        'value: "true"',
    ),
    "scope that does not exist": (replaced("- always", "- allways"), "D002", "- allways"),
    "schema that does not exist": (replaced("- strict", "- Strict"), "D002", "- Strict"),
    "parser that does not exist": (replaced("qwen3_coder", "qwen3-codr"), "D002", "qwen3-codr"),
    "switch with a value": (replaced(OFF, OFF[:-1] + "=true\n"), "D002", "=true"),
    "switch with a value of its own": (replaced(OFF, OFF + items("'true'")), "D002", "'true'"),
    "scope without a value": (replaced(items("always"), ""), "D002", "--dyn-structural-tag-scope"),
    "variable that counts as off": (
        QUICK.replace(OFF, "") + ENV.format('"enabled"'),
        "D002",
        '"enabled"',
    ),
    "variable that is no text": (
        QUICK.replace(OFF, "") + ENV.format("true"),
        "D002",
        "value: true",
    ),
    "argument that is a number": (with_items(PINNED, "--tp", "2"), "D002", "- 2\n"),
    "field that does not exist": (
        with_items(QUICK.replace(OFF, ""), "--dyn-structural-tag", WHOLE["--dyn-structural-tag"]),
        "D002",
        "schmea",
    ),
    "arguments that are no list": (
        PINNED.split("          args:")[0] + "          args: {--model-path: x}\n",
        "D002",
        "args: {",
    ),
    "tags without a parser": (replaced(PARSER, ""), "D003", OFF.strip()),
    "parser without a tag": (
        replaced("qwen3_coder", "mistral"),
        "D004",
        "--dyn-tool-call-parser",
    ),
    "scope while off": (replaced(OFF, ""), "D005", "--dyn-structural-tag-scope"),
    "scope while switched off": (
        replaced(OFF, OFF.replace("--dyn", "--no-dyn")),
        "D005",
        "--dyn-structural-tag-scope",
    ),
    "parser on the Frontend": (
        on_frontend("--dyn-tool-call-parser", "qwen3_coder").replace(
            f"Qwen/Qwen3.5-4B\n{PARSER}", "Qwen/Qwen3.5-4B\n"
        ),
        "D006",
        "--dyn-tool-call-parser",
    ),
    "switch on the Frontend": (
        on_frontend("--dyn-enable-structural-tag").replace(f"qwen3_coder\n{OFF}", "qwen3_coder\n"),
        "D006",
        "--dyn-enable-structural-tag",
    ),
    "processor on the worker": (
        with_items(PINNED, "--dyn-chat-processor", "dynamo"),
        "D006",
        "--dyn-chat-processor",
    ),
    "second worker without a parser": (QUICK + SECOND, "D007", "- name: Second"),
    "second worker with another parser": (
        QUICK + SECOND + items("--dyn-tool-call-parser", "hermes", "--dyn-enable-structural-tag"),
        "D007",
        "- --dyn-tool-call-parser\n          - hermes",
    ),
    "second worker with another scope": (
        QUICK + SECOND + PARSER + OFF + items("--dyn-structural-tag-scope", "always"),
        "D007",
        "--dyn-structural-tag-scope",
    ),
    "reasoning that the engine does not know": (
        with_items(PINNED, "--dyn-reasoning-parser", "qwen3"),
        "D008",
        "--dyn-reasoning-parser",
    ),
    "tools kept and no ban": (
        with_items(QUICK.replace(OFF, ""), "--no-exclude-tools-when-tool-choice-none"),
        "D009",
        "--no-exclude",
    ),
    "tools removed and banned": (
        with_items(PINNED, "--exclude-tools-when-tool-choice-none"),
        "D010",
        "--exclude-tools",
    ),
    "backend that has no tags": (
        with_items(PINNED, "--grammar-backend", "outlines"),
        "D012",
        "--grammar-backend",
    ),
    "TensorRT-LLM without a backend": (
        replaced("dynamo.sglang", "dynamo.trtllm"),
        "D012",
        OFF.strip(),
    ),
    "on and off": (
        replaced(OFF, OFF + OFF.replace("--dyn", "--no-dyn"), QUICK),
        "D013",
        OFF.strip(),
    ),
    "both generations of flags": (
        replaced(OFF, OFF + items("--dyn-structural-tag"), PINNED).replace(
            items("--dyn-structural-tag-schema", "strict"), ""
        ),
        "D013",
        "--dyn-structural-tag-scope",
    ),
    "the engine's parser alone": (
        replaced("--dyn-tool-call-parser", "--tool-call-parser", QUICK.replace(OFF, "")),
        "D014",
        "--tool-call-parser",
    ),
    "processor that leaves the parser idle": (
        on_frontend("--dyn-chat-processor", "sglang"),
        "D015",
        "- --dyn-tool-call-parser",
    ),
}


@pytest.mark.parametrize("text", [QUICK, PINNED], ids=["quick start", "pinned"])
def test_the_documented_manifests_are_clean(text, tmp_path):
    assert findings(text, tmp_path) == []


def test_there_are_twenty_and_more():
    assert len(BROKEN) >= 20


@pytest.mark.parametrize("name", BROKEN)
def test_one_finding_at_its_line(name, tmp_path):
    text, code, mark = BROKEN[name]
    (finding,) = findings(text, tmp_path)
    assert finding.code == code
    assert text.count(mark) == 1 or code in ("D001", "D006", "D007", "D013", "D003")
    assert finding.place.line == text.count("\n", 0, text.index(mark)) + 1


@pytest.mark.parametrize(
    ("target", "text", "code", "mark"),
    [
        ("dynamo==1.2.1", PINNED, "D011", OFF.strip()),
        ("dynamo==1.6.1", PINNED, "D011", OFF.strip()),
        ("xgrammar==0.1.30", PINNED, "D011", "--dyn-tool-call-parser"),
        ("sglang==0.5.9", PINNED, "D011", "--dyn-tool-call-parser"),
        (
            "dynamo==1.5.0",
            QUICK.replace("--dyn-enable-structural-tag", "--dyn-structural-tag"),
            "D011",
            "--dyn-structural-tag",
        ),
    ],
)
def test_releases_that_cannot(target, text, code, mark, tmp_path):
    found = findings(text, tmp_path, target)
    assert {finding.code for finding in found} == {code}
    assert found[0].place.line == text.count("\n", 0, text.index(mark)) + 1


@pytest.mark.parametrize(
    "target", ["dynamo==1.3.1", "dynamo==1.4.2", "xgrammar==0.2.9", "sglang==0.5.21"]
)
def test_releases_that_can(target, tmp_path):
    assert findings(PINNED, tmp_path, target) == []


def test_a_target_of_another_engine_says_nothing_of_a_worker(tmp_path):
    (found,) = findings(PINNED, tmp_path, "sglang==0.5.9")
    assert "sglang 0.5.9, which pins xgrammar 0.1.27, " in found.message
    assert findings(PINNED, tmp_path, "vllm==0.12.0") == []


def test_servers_of_vllm_need_both_flags(tmp_path):
    script = "#!/bin/sh\nvllm serve a/b \\\n  {}\n"
    for flags in ("--enable-auto-tool-choice", "--tool-call-parser hermes"):
        (finding,) = findings(script.format(flags), tmp_path, name="run.sh")
        assert (finding.code, finding.place.line) == ("D014", 3)
    both = "--enable-auto-tool-choice --tool-call-parser hermes"
    assert findings(script.format(both), tmp_path, name="run.sh") == []


def test_prefill_workers_need_no_settings(tmp_path):
    text = QUICK + SECOND + items("--disaggregation-mode", "prefill")
    assert findings(text, tmp_path) == []


def test_another_script_in_a_folder_is_passed_over(tmp_path):
    (tmp_path / "build.sh").write_text("#!/bin/sh\nmake all 'unclosed\n")
    assert list(lint([str(tmp_path)], Settings(deep=False), Selection())) == []
