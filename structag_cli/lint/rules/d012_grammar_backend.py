"""D012: the engine's grammar backend cannot do structural tags."""

from collections.abc import Iterator

from structag_cli.deployments.flags import (
    GRAMMAR_BACKEND,
    GUIDED_BACKEND,
    VLLM_BACKEND,
    VLLM_OUTPUTS,
)
from structag_cli.deployments.model import Setting, Worker
from structag_cli.findings import Found, Severity
from structag_cli.lint.deployments import at, manifest, views
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each worker of which it is so."""
    for view in views(subject):
        if not view.on:
            continue
        for setting, backend in _backends(view.worker):
            if backend not in ("xgrammar", "auto"):
                message = f"the backend {backend} cannot do Dynamo's structural tags"
                yield at(view.worker, setting, message, setting.flag)
        if view.worker.engine == "trtllm" and view.worker.lacks(GUIDED_BACKEND):
            message = f"TensorRT-LLM ignores tags without {GUIDED_BACKEND} xgrammar"
            yield at(view.worker, view.switch, message, GUIDED_BACKEND)


def _backends(worker: Worker) -> Iterator[tuple[Setting, str]]:
    for flag in (GRAMMAR_BACKEND, GUIDED_BACKEND, VLLM_BACKEND, VLLM_OUTPUTS):
        setting = worker.get(flag)
        value = None if setting is None else setting.value
        if isinstance(value, dict):
            value = value.get("backend")
        if setting is not None and isinstance(value, str):
            yield setting, value


RULE = Rule(
    code="D012",
    name="grammar-backend",
    severity=Severity.WARNING,
    summary="The engine's grammar backend cannot do structural tags.",
    why=(
        "A tag needs xgrammar in the engine. vLLM's guidance and SGLang's llguidance take the "
        "legacy form alone, the others none. TensorRT-LLM has no backend unless `--guided- "
        "decoding-backend xgrammar` is given, and then ignores tags in silence."
    ),
    mend="use xgrammar",
    check=check,
    bad=manifest(
        "--dyn-tool-call-parser",
        "hermes",
        "--dyn-enable-structural-tag",
        "--grammar-backend",
        "outlines",
    ),
    good=manifest("--dyn-tool-call-parser", "hermes", "--dyn-enable-structural-tag"),
    source="vLLM 0.33, SGLang 0.5.23, TensorRT-LLM#19913",
)
