"""Manifests that mean harm, or nothing: findings or a clean error, soon."""

import json
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structag_cli.deployments import read_arguments, read_deployment
from structag_cli.deployments.effective import effective
from structag_cli.deployments.reading import deployment_of
from structag_cli.errors import InputError, StructagError
from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings
from structag_cli.policy.profiles import DYNAMO_1_3

BOMB = "kind: DynamoGraphDeployment\na: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [*{old}, *{old}, *{old}, *{old}, *{old}, *{old}, *{old}, *{old}, *{old}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


def test_aliases_that_explode(tmp_path):
    path = tmp_path / "d.yaml"
    path.write_text(BOMB)
    started = time.monotonic()
    with pytest.raises(InputError, match="aliases"):
        read_deployment(str(path))
    assert time.monotonic() - started < 5


def test_fifty_megabytes(tmp_path):
    path = tmp_path / "d.yaml"
    path.write_bytes(b"kind: DynamoGraphDeployment\n" + b"# dynamo.sglang padding\n" * 2_200_000)
    started = time.monotonic()
    with pytest.raises(InputError, match="larger than"):
        read_deployment(str(path))
    assert time.monotonic() - started < 5


def test_many_arguments_take_linear_time(tmp_path):
    items = "".join(f"  - --x{number}\n" for number in range(20_000))
    head = "services:\n a:\n  command: [python3, -m, dynamo.vllm]\n  args:\n"
    started = time.monotonic()
    found = deployment_of(head + items, "d.yaml")
    assert len(found.processes) == 1
    assert time.monotonic() - started < 20


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\0",
        "kind: [",
        "{{ x }}: dynamo.sglang",
        "!!python/object/apply:os.system ['dynamo.sglang']",
        "a: &a [*a]\nb: dynamo.sglang",
        "kind: Dynamo\n? [a, b]\n: c",
        "spec: 5\nkind: DynamoGraphDeployment",
        "kind: DynamoGraphDeployment\nspec: {components: 7}",
        "kind: DynamoGraphDeployment\nspec: {components: [7, null, {name: 3, type: []}]}",
    ],
)
def test_no_manifest(text, tmp_path):
    path = tmp_path / "d.yaml"
    path.write_text(text)
    with pytest.raises(InputError):
        read_deployment(str(path))


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "d.yaml"
    path.write_bytes(b"kind: DynamoGraphDeployment\n\xff\xfe")
    with pytest.raises(InputError, match="UTF-8"):
        read_deployment(str(path))


def test_a_quote_without_an_end_in_a_script():
    with pytest.raises(InputError, match="quote"):
        read_arguments("--dyn-tool-call-parser 'hermes")


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.sampled_from(
        [
            "dynamo.sglang",
            "-m",
            "--dyn-tool-call-parser",
            "--dyn-structural-tag",
            "--dyn-structural-tag={",
            '--dyn-structural-tag={"scope": []}',
            "--dyn-enable-structural-tag=",
            "--structured-outputs-config",
            "[1]",
            "hermes",
            "sh",
            "-c",
            "python3 -m dynamo.vllm 'x",
            "export DYN_STRUCTURAL_TAG=x; vllm serve",
            "$(x)",
            "",
        ]
    )
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.dictionaries(
            st.sampled_from(["name", "value", "args", "command", "env", "type", "containers", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@settings(max_examples=300, deadline=None)
@given(values, values, values, values)
def test_any_values_anywhere(command, args, env, around):
    manifest = {
        "apiVersion": "nvidia.com/v1beta1",
        "kind": "DynamoGraphDeployment",
        "metadata": around,
        "spec": {
            "components": [
                {
                    "name": around,
                    "type": around,
                    "podTemplate": {
                        "spec": {"containers": [{"command": command, "args": args, "env": env}]}
                    },
                },
                around,
            ],
            "services": {"a": {"extraPodSpec": {"mainContainer": around}, "envs": env}},
        },
    }
    try:
        found = deployment_of(json.dumps(manifest), "d.json")
    except StructagError:
        return
    for process in found.processes:
        effective(process, DYNAMO_1_3)


@settings(max_examples=100, deadline=None)
@given(values, values)
def test_lint_of_any_values(args, env):
    container = {"command": ["python3", "-m", "dynamo.sglang"], "args": args, "env": env}
    manifest = {"kind": "DynamoGraphDeployment", "services": {"a": container, "b": container}}
    path = Path(tempfile.mkdtemp()) / "d.json"
    path.write_text(json.dumps(manifest))
    found = list(lint([str(path)], Settings(deep=False, target="dynamo==1.5"), Selection()))
    assert not [finding for finding in found if finding.code == "E004"]
