"""Manifests, scripts and command lines become settings with places."""

import json
from pathlib import Path

import pytest

from structag_cli.deployments import read_arguments, read_deployment
from structag_cli.deployments.effective import choose, effective
from structag_cli.deployments.model import UNKNOWN
from structag_cli.deployments.reading import deployment_of
from structag_cli.errors import InputError, UsageError
from structag_cli.policy.profiles import DYNAMO_1_3

DATA = Path(__file__).resolve().parents[2] / "data" / "deployments"


def settings(worker):
    found = effective(worker, DYNAMO_1_3)
    deployment = found.deployment
    lines = {flag: place.line for flag, place in found.places.items()}
    return deployment, lines


def only(text, path="d.yaml"):
    (worker,) = deployment_of(text, path).workers
    return worker


def test_the_quick_start():
    found = read_deployment(str(DATA / "quick-start.yaml"))
    assert [(p.name, p.role, p.engine) for p in found.processes] == [
        ("Frontend", "frontend", "frontend"),
        ("SGLangWorker", "worker", "sglang"),
    ]
    deployment, lines = settings(found.workers[0])
    assert found.workers[0].model == "Qwen/Qwen3.5-4B"
    assert (deployment.parser, deployment.enabled) == ("qwen3_coder", True)
    assert (deployment.scope, deployment.schema) == ("auto", "auto")
    assert deployment.exclude_tools_on_none is True
    assert lines == {"--dyn-tool-call-parser": 35, "--dyn-enable-structural-tag": 37}


def test_the_pinned_example():
    found = read_deployment(str(DATA / "pinned.yaml"))
    deployment, lines = settings(found.workers[0])
    assert (deployment.scope, deployment.schema) == ("always", "strict")
    assert lines["--dyn-structural-tag-scope"] == 38
    assert lines["--dyn-structural-tag-schema"] == 40


def test_a_manifest_in_json(tmp_path):
    import yaml

    path = tmp_path / "d.json"
    path.write_text(json.dumps(yaml.safe_load((DATA / "pinned.yaml").read_text()), indent=1))
    deployment, lines = settings(read_deployment(str(path)).workers[0])
    assert deployment.schema == "strict"
    assert json.loads(path.read_text().split("\n")[lines["--dyn-structural-tag-schema"] - 1][:-1])


SERVICES = """
apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: {name: old}
spec:
  envs:
    - {name: DYN_STRUCTURAL_TAG_SCOPE, value: always}
  services:
    Frontend:
      componentType: frontend
    Decode:
      componentType: worker
      subComponentType: decode
      extraPodSpec:
        mainContainer:
          command: [/bin/sh, -c]
          args:
            - >-
              export DYN_STRUCTURAL_TAG_SCHEMA=strict;
              exec python3 -m dynamo.vllm --model a/b
              --dyn-tool-call-parser=hermes
              --dyn-enable-structural-tag
    Prefill:
      componentType: worker
      subComponentType: prefill
      extraPodSpec:
        mainContainer:
          command: [python3, -m, dynamo.vllm]
          args: [--model, a/b, --is-prefill-worker]
"""


def test_services_with_a_shell_line_and_variables():
    found = deployment_of(SERVICES, "d.yaml")
    assert [(p.name, p.role) for p in found.processes] == [
        ("Decode", "worker"),
        ("Prefill", "prefill"),
    ]
    deployment, lines = settings(found.workers[0])
    assert (deployment.parser, deployment.scope, deployment.schema) == (
        "hermes",
        "always",
        "strict",
    )
    assert lines == {
        "--dyn-tool-call-parser": 21,
        "--dyn-enable-structural-tag": 22,
        "--dyn-structural-tag-scope": 7,
        "--dyn-structural-tag-schema": 19,
    }


@pytest.mark.parametrize("style", ["|", ">", ">-", "|-"])
def test_words_of_a_block_stand_on_their_lines(style):
    text = f"""kind: Pod
apiVersion: v1
spec:
  containers:
  - name: main
    command: ["bash", "-lc"]
    args:
    - {style}
      # starts the worker
      python3 -m dynamo.sglang --model-path a \\
        --dyn-tool-call-parser hermes \\
        --dyn-enable-structural-tag
"""
    if style.startswith(">"):
        text = text.replace(" \\\n  ", "\n").replace("      # starts the worker\n", "")
    worker = only(text)
    deployment, lines = settings(worker)
    assert (deployment.parser, deployment.enabled) == ("hermes", True)
    shift = 0 if style.startswith("|") else -1
    assert lines == {
        "--dyn-tool-call-parser": 11 + shift,
        "--dyn-enable-structural-tag": 12 + shift,
    }


def test_a_line_that_lost_its_backslash():
    worker = only("#!/bin/sh\npython3 -m dynamo.vllm --model a\n  --dyn-enable-structural-tag\n")
    (fault,) = worker.faults
    assert (fault.kind, fault.place.line) == ("name", 3)
    assert effective(worker, DYNAMO_1_3).deployment.enabled is True


def test_what_else_a_line_runs_is_no_worker():
    text = """services:
  w:
    command: [sh, -c]
    args: ["mkdir -p x && python3 -m dynamo.vllm --dyn-tool-call-parser hermes 2>&1 | tee x/log"]
"""
    assert only(text).value("--dyn-tool-call-parser") == "hermes"


def test_args_as_one_string_and_compose():
    text = """services:
  worker:
    image: x
    command: python3 -m dynamo.trtllm --model-path a --dyn-tool-call-parser hermes
    environment:
      DYN_ENABLE_STRUCTURAL_TAG: "yes"
"""
    worker = only(text)
    assert (worker.name, worker.engine) == ("worker", "trtllm")
    deployment, lines = settings(worker)
    assert deployment.enabled is True
    assert lines == {"--dyn-tool-call-parser": 4, "--dyn-enable-structural-tag": 6}


def test_flags_beat_variables_and_the_last_flag_counts():
    found = read_arguments(
        "DYN_STRUCTURAL_TAG_SCOPE=always python3 -m dynamo.vllm --dyn-structural-tag-scope auto "
        "--dyn-enable-structural-tag --no-dyn-enable-structural-tag"
    )
    deployment, _ = settings(found.workers[0])
    assert (deployment.scope, deployment.enabled) == ("auto", False)


def test_several_documents_and_lines_in_the_second():
    first = (DATA / "quick-start.yaml").read_text()
    second = (DATA / "pinned.yaml").read_text().replace("SGLangWorker", "Other")
    found = deployment_of(f"# one\n{first}---\n# two\n{second}", "d.yaml")
    assert [worker.name for worker in found.workers] == ["SGLangWorker", "Other"]
    _, lines = settings(found.workers[1])
    assert lines["--dyn-structural-tag-scope"] == len(first.splitlines()) + 3 + 38


ANCHORED = """
x-flags: &flags
  - --dyn-tool-call-parser
  - hermes
  - --dyn-enable-structural-tag
x-pod: &pod
  command: [python3, -m, dynamo.sglang]
  args: *flags
services:
  one:
    <<: *pod
  two:
    command: [python3, -m, dynamo.sglang]
    args: *flags
"""


def test_what_comes_from_an_anchor_stands_there():
    found = deployment_of(ANCHORED, "d.yaml")
    named = {worker.name: settings(worker) for worker in found.workers}
    assert {"one", "two"} <= set(named)
    for name in ("one", "two"):
        deployment, lines = named[name]
        assert deployment.parser == "hermes"
        assert lines == {"--dyn-tool-call-parser": 3, "--dyn-enable-structural-tag": 5}


def test_values_that_the_file_does_not_tell():
    worker = read_arguments("--dyn-tool-call-parser $PARSER --dyn-enable-structural-tag").workers[0]
    assert worker.value("--dyn-tool-call-parser") is UNKNOWN
    assert not worker.faults


def test_servers_of_engines():
    found = deployment_of(
        "#!/bin/sh\nvllm serve a/b --tool-call-parser hermes &\n"
        "python -m sglang.launch_server --model-path c --grammar-backend xgrammar\n",
        "run.sh",
    )
    assert [(p.engine, p.dynamo, p.model) for p in found.processes] == [
        ("vllm", False, "a/b"),
        ("sglang", False, "c"),
    ]


def test_choose_wants_a_name_where_workers_differ():
    first = (DATA / "quick-start.yaml").read_text()
    second = (DATA / "pinned.yaml").read_text().replace("SGLangWorker", "Other")
    found = deployment_of(f"{first}---\n{second}", "d.yaml")
    with pytest.raises(UsageError, match="differ"):
        choose(found, None)
    assert choose(found, "Other").name == "Other"
    with pytest.raises(UsageError, match="SGLangWorker"):
        choose(found, "Nobody")


def test_a_template_of_helm_says_so():
    with pytest.raises(InputError, match="helm"):
        deployment_of("kind: Pod\nspec: {{ .Values.x }}\n  a: b\n", "d.yaml")


def test_nothing_in_it(tmp_path):
    path = tmp_path / "d.yaml"
    path.write_text("kind: ConfigMap\nmetadata: {name: a}\n")
    with pytest.raises(InputError, match="no worker"):
        read_deployment(str(path))
