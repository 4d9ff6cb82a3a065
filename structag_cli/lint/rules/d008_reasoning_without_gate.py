"""D008: a reasoning parser with structural tags, and the engine does not know of it."""

from collections.abc import Iterator

from structag_cli.deployments.flags import ENGINE_REASONING, REASONING, TAG
from structag_cli.deployments.model import Worker
from structag_cli.findings import Found, Severity
from structag_cli.lint.deployments import at, manifest, views
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each worker of which it is so."""
    for view in views(subject):
        worker = view.worker
        reasoning = worker.get(REASONING)
        if reasoning is None or not view.on or worker.engine not in ("vllm", "sglang"):
            continue
        if worker.lacks(ENGINE_REASONING) and not _in_tag(worker):
            message = f"{worker.engine} starts forced calls before the reasoning ends"
            yield at(worker, reasoning, message, REASONING)


def _in_tag(worker: Worker) -> bool:
    """Whether the tag itself waits for the reasoning's end (Dynamo 1.6)."""
    value = worker.value(TAG)
    return isinstance(value, dict) and value.get("reasoning_boundary") == "structural_tag"


RULE = Rule(
    code="D008",
    name="reasoning-without-gate",
    severity=Severity.WARNING,
    summary="A reasoning parser with structural tags, and the engine does not know of it.",
    why=(
        "The grammar of a forced call binds from its first token, unless the engine waits for the "
        "end of the reasoning. vLLM and SGLang wait only if their own `--reasoning-parser` is "
        "set; `--dyn-reasoning-parser` only splits the output. Without it the model cannot think "
        "before a forced call."
    ),
    mend="set the engine's own --reasoning-parser, too (its names may differ)",
    check=check,
    bad=manifest(
        "--dyn-tool-call-parser",
        "hermes",
        "--dyn-reasoning-parser",
        "qwen3",
        "--dyn-enable-structural-tag",
    ),
    good=manifest(
        "--dyn-tool-call-parser",
        "hermes",
        "--dyn-reasoning-parser",
        "qwen3",
        "--reasoning-parser",
        "qwen3",
        "--dyn-enable-structural-tag",
    ),
    source="Dynamo's page Reasoning Parsing, 1.3 and later",
)
