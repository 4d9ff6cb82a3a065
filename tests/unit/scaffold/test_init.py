"""What init writes fits together and lints clean; edits keep everything else."""

import itertools
from pathlib import Path

import pytest

from structag_cli.deployments.effective import effective
from structag_cli.deployments.reading import deployment_of
from structag_cli.errors import InputError, UsageError
from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings
from structag_cli.policy.profiles import DYNAMO_1_3
from structag_cli.scaffold.edit import with_flags
from structag_cli.scaffold.models import parsers_for
from structag_cli.scaffold.parts import Answers, flag_values, manifest, request, script

DATA = Path(__file__).resolve().parents[2] / "data" / "deployments"
EVERY = itertools.product(
    ("sglang", "vllm", "trtllm"), ("auto", "always"), ("auto", "strict"), (False, True),
    (None, "qwen3"), (False, True),
)  # fmt: skip


@pytest.mark.parametrize("answers", EVERY, ids=str)
def test_parts_agree_and_lint_clean(answers, tmp_path):
    engine, scope, schema, keep, reasoning, newer = answers
    asked = Answers("Qwen/Qwen3.5-4B", "qwen3_coder", engine, scope, schema, keep, reasoning, newer)
    (tmp_path / "d.yaml").write_text(manifest(asked))
    (tmp_path / "d.sh").write_text(script(asked))
    found = lint([str(tmp_path)], Settings(deep=False), Selection())
    assert list(found) == []
    (one,) = deployment_of(manifest(asked), "d.yaml").workers
    (two,) = deployment_of(script(asked), "d.sh").workers
    first, second = effective(one, DYNAMO_1_3).deployment, effective(two, DYNAMO_1_3).deployment
    assert first == second
    assert (first.scope, first.schema, first.exclude_tools_on_none) == (scope, schema, not keep)
    assert first.enabled


def test_the_request_lints_clean(tmp_path):
    (tmp_path / "r.json").write_text(request(Answers("a/b", "hermes")))
    assert list(lint([str(tmp_path)], Settings(deep=False), Selection())) == []


@pytest.mark.parametrize(
    ("model", "parser"),
    [
        ("Qwen/Qwen3-8B", "hermes"),
        ("Qwen/Qwen3-Coder-30B-A3B-Instruct", "qwen3_coder"),
        ("Qwen/Qwen3.5-4B", "qwen3_coder"),
        ("Qwen/Qwen2.5-7B-Instruct", "hermes"),
        ("deepseek-ai/DeepSeek-V3.2", "deepseek_v3_2"),
        ("deepseek-ai/DeepSeek-V4-Flash", "deepseek_v4"),
        ("openai/gpt-oss-20b", "harmony"),
        ("nvidia/NVIDIA-Nemotron-3-Nano-30B", "nemotron_nano"),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama3_json"),
        ("moonshotai/Kimi-K2-Instruct", "kimi_k2"),
    ],
)
def test_parsers_of_models(model, parser):
    found = parsers_for(model)
    assert found is not None
    assert found.parser == parser


COMMENTED = """# The production graph
x-pull: &pull IfNotPresent   # kept
apiVersion: nvidia.com/v1beta1
kind: DynamoGraphDeployment
spec:
  components:
  - name: Worker   # the only one
    type: worker
    podTemplate:
      spec:
        containers:
        - name: main
          imagePullPolicy: *pull
          command: [python3, -m, dynamo.sglang]
          args:
          - --model-path
          - "a/b"
          - --dyn-structural-tag-scope   # as agreed
          - auto   # for now
          # the end
        - name: sidecar
          args: [x]
"""


def test_edits_keep_comments_and_anchors():
    asked = Answers("a/b", "hermes", scope="always", schema="strict", keep_tools=True)
    text = with_flags(COMMENTED, "d.yaml", None, flag_values(asked))
    before, after = COMMENTED.splitlines(), text.splitlines()
    changed = "          - auto   # for now"
    at = before.index(changed)
    assert after[at] == "          - always   # for now"
    added = len(after) - len(before)
    assert after[:at] == before[:at]
    assert after[at + 1 + added :] == before[at + 1 :]
    (worker,) = deployment_of(text, "d.yaml").workers
    found = effective(worker, DYNAMO_1_3).deployment
    assert (found.parser, found.scope, found.schema) == ("hermes", "always", "strict")
    assert found.exclude_tools_on_none is False


def test_edits_are_done_once():
    asked = Answers("a/b", "hermes", scope="always")
    once = with_flags(COMMENTED, "d.yaml", "Worker", flag_values(asked))
    assert with_flags(once, "d.yaml", "Worker", flag_values(asked)) == once


def test_edits_of_flow_lists():
    text = "services:\n  w:\n    command: [python3, -m, dynamo.vllm]\n    args: [--model, a]  # b\n"
    edited = with_flags(text, "d.yaml", None, [("--dyn-tool-call-parser", "hermes")])
    assert "    args: [--model, a, --dyn-tool-call-parser, hermes]  # b\n" in edited


def test_edits_of_the_second_document():
    quick = (DATA / "quick-start.yaml").read_text()
    other = quick.replace("SGLangWorker", "Other")
    text = f"{quick}---\n{other}"
    edited = with_flags(text, "d.yaml", "Other", [("--dyn-structural-tag-scope", "always")])
    assert edited.startswith(f"{quick}---\n")
    assert edited.endswith(
        "--dyn-enable-structural-tag\n          - --dyn-structural-tag-scope\n          - always\n"
    )


SHARED = """x-args: &args
  - --model
  - a
services:
  w:
    command: [python3, -m, dynamo.vllm]
    args: *args
"""


def test_arguments_that_are_shared_are_not_edited():
    with pytest.raises(InputError, match="anchor"):
        with_flags(SHARED, "d.yaml", None, [("--dyn-tool-call-parser", "hermes")])


def test_arguments_in_a_string_are_not_edited():
    text = "services:\n  w:\n    command: python3 -m dynamo.vllm --model a\n    args: --x y\n"
    with pytest.raises(InputError, match="no list"):
        with_flags(text, "d.yaml", None, [("--dyn-tool-call-parser", "hermes")])


def test_arguments_of_a_shell_are_not_edited():
    text = "services:\n  w:\n    command: [sh, -c]\n    args:\n    - python3 -m dynamo.vllm\n"
    with pytest.raises(InputError, match="not the worker's own"):
        with_flags(text, "d.yaml", None, [("--dyn-tool-call-parser", "hermes")])


def test_which_worker():
    quick = (DATA / "quick-start.yaml").read_text()
    with pytest.raises(UsageError, match="SGLangWorker"):
        with_flags(quick, "d.yaml", "Nobody", [])


def test_a_shells_script_is_not_edited_though_it_has_the_flags():
    text = (
        "kind: DynamoGraphDeployment\nservices:\n  W:\n    componentType: worker\n"
        "    extraPodSpec:\n      mainContainer:\n        command: [/bin/bash, -ec]\n"
        "        args:\n        - python3 -m dynamo.vllm --dyn-tool-call-parser hermes\n"
    )
    with pytest.raises(InputError, match="shell's"):
        with_flags(text, "d.yaml", None, [("--dyn-tool-call-parser", "hermes")])
