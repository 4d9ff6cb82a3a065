"""Scripts and commands as people write them: which servers start, with what."""

import pytest

from structag_cli.deployments.model import UNKNOWN
from structag_cli.deployments.reading import deployment_of

PARSER = "--dyn-tool-call-parser"
WORKER = "python3 -m dynamo.vllm --model a/b"


def workers(text):
    return deployment_of(f"#!/bin/bash\n{text}\n", "run.sh").processes


@pytest.mark.parametrize(
    "line",
    [
        "pkill -f dynamo.sglang || true",
        "pgrep -f 'vllm serve'",
        "echo python3 -m dynamo.vllm",
        "echo vllm serve",
        "grep dynamo.vllm log.txt",
        "if pgrep -f dynamo.vllm; then exit; fi",
        "cat <<EOF\npython3 -m dynamo.vllm\nEOF",
        "cat <<-'EOF' > f\n  it's --dyn-tool-call-parser\n  EOF",
    ],
)
def test_commands_that_start_nothing(line):
    assert workers(line) == []


@pytest.mark.parametrize(
    ("line", "engine", "dynamo"),
    [
        ("exec python3 -m dynamo.sglang", "sglang", True),
        ("CUDA_VISIBLE_DEVICES=0 nohup python -um dynamo.vllm &", "vllm", True),
        ("trtllm-llmapi-launch python3 -m dynamo.trtllm", "trtllm", True),
        ("/usr/bin/trtllm-serve a/b", "trtllm", False),
        ("docker run --gpus all vllm/vllm-openai:latest --model a/b", "vllm", False),
        ("uv run vllm serve a/b", "vllm", False),
        ("sglang serve --model-path a/b", "sglang", False),
    ],
)
def test_commands_that_start_a_server(line, engine, dynamo):
    (worker,) = workers(line)
    assert (worker.engine, worker.dynamo) == (engine, dynamo)


@pytest.mark.parametrize(
    ("before", "arguments"),
    [
        ("P=hermes", f'{PARSER} "$P"'),
        ("P=hermes", f"{PARSER}=${{P}}"),
        ("P=her; P+=mes", f"{PARSER} $P"),
        (f"ARGS=({PARSER} hermes)", '"${ARGS[@]}"'),
        (f"ARGS=(\n  --tp 4 # one\n  {PARSER}\n  hermes\n)", "${ARGS[@]}"),
        (f"ARGS=(--tp 4)\nARGS+=({PARSER} hermes)", '"${ARGS[@]}"'),
        (f'EXTRA="{PARSER} hermes"', "$EXTRA"),
    ],
)
def test_variables_that_the_script_sets(before, arguments):
    (worker,) = workers(f"{before}\n{WORKER} {arguments}")
    assert worker.value(PARSER) == "hermes"
    assert not worker.opaque


@pytest.mark.parametrize(
    "before",
    [
        "",
        'P="${P:-hermes}"',
        "P=$(cat parser)",
        "P=a\nif true; then P=hermes; fi",
        "P=a\nif true; then\n  P=hermes\nfi",
        "P=a\nf() {\n  P=hermes\n}",
        "P=a\nfor x in 1 2; do\n P=$x\ndone",
    ],
)
def test_variables_that_it_does_not_tell(before):
    (worker,) = workers(f"{before}\n{WORKER} {PARSER} $P")
    assert worker.value(PARSER) is UNKNOWN


@pytest.mark.parametrize("word", ['"$@"', '"${EXTRA_ARGS[@]}"', "$VLLM_EXTRA_ARGS", "${FLAGS}"])
def test_arguments_from_elsewhere_are_noted(word):
    (worker,) = workers(f"{WORKER} --trust-remote-code {word}")
    assert len(worker.opaque) == 1
    assert not worker.lacks(PARSER)


def test_an_array_is_found_where_it_stands():
    (worker,) = workers(f'ARGS=(\n  {PARSER} hermez\n)\n{WORKER} "${{ARGS[@]}}"')
    assert [fault.place.line for fault in worker.faults] == [3]


def test_patterns_of_a_case_are_no_flags():
    script = f"{WORKER} &\ncase $1 in\n  {PARSER})\n    P=$2 ;;\n  *) ;;\nesac"
    (worker,) = workers(script)
    assert not worker.faults


@pytest.mark.parametrize(
    "line",
    [
        "vllm serve a/b --enable_auto_tool_choice --tool_call_parser hermes",
        "python3 -m dynamo.vllm --model a/b --tool_call_parser hermes",
        "trtllm-serve a/b --tool_parser hermes --reasoning_parser qwen3",
    ],
)
def test_underscores_where_the_engine_takes_them(line):
    (worker,) = workers(line)
    assert not worker.faults
    assert worker.value("--tool-call-parser") == "hermes"


@pytest.mark.parametrize(
    "line",
    [
        "python3 -m dynamo.vllm --dyn_tool_call_parser hermes",
        "python3 -m sglang.launch_server --tool_call_parser hermes",
    ],
)
def test_underscores_where_it_does_not(line):
    (worker,) = workers(line)
    assert len(worker.faults) == 1


@pytest.mark.parametrize(
    "text", ['A="$(dirname "$(readlink -f "$0")")"', 'A="$(echo "it\'s" \')\')"']
)
def test_quotes_inside_substitutions(text):
    (worker,) = workers(f"{text}\n{WORKER}")
    assert worker.model == "a/b"


@pytest.mark.parametrize(
    "before", ["A=xx\n" + "A=$A$A\n" * 60, "A=(x x)\n" + "A+=(${A[@]})\n" * 60]
)
def test_variables_cannot_grow_without_end(before):
    (worker,) = workers(f"{before}{WORKER} {'$A ' * 200}")
    assert worker.model == "a/b"
