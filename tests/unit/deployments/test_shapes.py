"""Shapes of manifests: Compose, plain Kubernetes, variables of graphs, several graphs."""

import pytest

from structag_cli.deployments.effective import choose, effective
from structag_cli.deployments.reading import deployment_of, looks_like_deployment
from structag_cli.errors import UsageError
from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings
from structag_cli.policy.profiles import DYNAMO_1_3

PARSER = "--dyn-tool-call-parser"

POD = """apiVersion: v1
kind: Pod
metadata: {{name: vllm}}
spec:
  containers:
  - name: vllm
    image: {image}
    args: [--model, a/b, --enable-auto-tool-choice, --tool-call-parser, hermes]
"""

GRAPH = """apiVersion: nvidia.com/v1beta1
kind: DynamoGraphDeployment
metadata: {{name: {name}}}
spec:
  env:
  - {{name: DYN_ENABLE_STRUCTURAL_TAG, value: "true"}}
  - {{name: DYN_STRUCTURAL_TAG_SCOPE, value: auto}}
  components:
  - name: Frontend
    type: frontend
    podTemplate:
      spec:
        containers:
        - name: main
          args: [{frontend}]
  - name: Worker
    type: worker
    podTemplate:
      spec:
        containers:
        - name: main
          command: [python3, -m, dynamo.vllm]
          args: [--model, a/b, --dyn-tool-call-parser, {parser}]
          env:
          - {{name: DYN_STRUCTURAL_TAG_SCOPE, value: always}}
"""


def graph(name="g", frontend="", parser="hermes"):
    return GRAPH.format(name=name, frontend=frontend, parser=parser)


def findings(tmp_path, text):
    path = tmp_path / "d.yaml"
    path.write_text(text)
    found = lint([str(path)], Settings(deep=False), Selection())
    return [(finding.code, finding.place.line) for finding in found]


def test_the_image_of_vllm_is_its_own_server():
    text = POD.format(image="docker.io/vllm/vllm-openai:v0.26.0")
    assert looks_like_deployment(text)
    (worker,) = deployment_of(text, "d.yaml").processes
    assert (worker.engine, worker.dynamo) == ("vllm", False)


def test_a_name_alone_starts_no_server():
    assert deployment_of(POD.format(image="nginx"), "d.yaml").processes == []


def test_the_entrypoint_of_compose():
    text = """services:
  front:
    entrypoint: [python3, -m, dynamo.frontend]
    command: [--http-port=8000]
  work:
    entrypoint: python3 -m dynamo.sglang
    command: --dyn-tool-call-parser hermes
"""
    found = deployment_of(text, "compose.yaml")
    assert [(p.name, p.role) for p in found.processes] == [
        ("front", "frontend"),
        ("work", "worker"),
    ]
    assert found.workers[0].value(PARSER) == "hermes"


@pytest.mark.parametrize(
    "command",
    [
        "[/usr/bin/env, bash, -c]",
        "[tini, --, sh, -c]",
        "[/bin/bash, -euxo, pipefail, -c]",
    ],
)
def test_shells_behind_other_programs(command):
    text = graph().replace("[python3, -m, dynamo.vllm]", command)
    text = text.replace("[--model, a/b", "['python3 -m dynamo.vllm --model a/b'] #")
    assert deployment_of(text, "d.yaml").workers[0].model == "a/b"


def test_variables_that_kubernetes_puts_in():
    text = graph(parser="$(THE_PARSER)").replace(
        "          env:\n", "          env:\n          - {name: THE_PARSER, value: hermes}\n"
    )
    assert deployment_of(text, "d.yaml").workers[0].value(PARSER) == "hermes"


def test_variables_of_the_whole_graph_are_no_faults(tmp_path):
    assert findings(tmp_path, graph()) == []


def test_a_flag_on_the_frontend_still_is_one(tmp_path):
    assert findings(tmp_path, graph(frontend="--dyn-reasoning-parser, qwen3")) == [("D006", 15)]


def test_graphs_do_not_disagree_with_each_other(tmp_path):
    two = f"{graph()}---\n{graph('h', parser='qwen3_coder')}"
    assert findings(tmp_path, two) == []
    other = f"{graph()}---\n{graph('h', frontend='--dyn-chat-processor, vllm')}"
    assert [code for code, _ in findings(tmp_path, other)] == ["D015"]


@pytest.mark.parametrize("item", ["null", "5", "true", "{a: b}"])
def test_one_fault_for_an_item_that_is_no_text(tmp_path, item):
    assert [code for code, _ in findings(tmp_path, graph(parser=item))] == ["D002"]


@pytest.mark.parametrize("name", ["deepseek_v41", "muse", "muse_glimmer"])
def test_parsers_that_serve_both_ends(tmp_path, name):
    text = graph(parser=f"{name}, --dyn-reasoning-parser, {name}, --reasoning-parser, x")
    assert "D002" not in [code for code, _ in findings(tmp_path, text)]


def test_an_engines_own_parsers_are_its_settings():
    worker = deployment_of("#!/bin/sh\nvllm serve a/b --tool-call-parser hermes\n", "d.sh").workers[
        0
    ]
    found = effective(worker, DYNAMO_1_3)
    assert found.deployment.parser == "hermes"
    assert found.places[PARSER].line == 2


def test_one_name_for_two_workers_that_differ():
    found = deployment_of(f"{graph()}---\n{graph('h', parser='qwen3_coder')}", "d.yaml")
    with pytest.raises(UsageError, match=r"several workers 'Worker'.*lines 16, 42"):
        choose(found, "Worker")


def test_several_documents_without_a_server(tmp_path):
    text = "kind: Service\nmetadata: {name: a}\n---\nkind: ConfigMap\nmetadata: {name: b}\n"
    assert [code for code, _ in findings(tmp_path, text)] == ["E002"]
    (tmp_path / "d.yaml").write_text(text)
    assert not list(lint([str(tmp_path)], Settings(deep=False), Selection()))
