"""D014: the engine's parser flag on a Dynamo worker without Dynamo's own; or half a pair."""

from collections.abc import Iterator

from structag_cli.deployments.flags import AUTO_TOOL_CHOICE, ENGINE_PARSER, PARSER
from structag_cli.deployments.model import Worker
from structag_cli.findings import Found, Severity
from structag_cli.lint.deployments import at, engine_parses, manifest, misplaced, processes, views
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each process of which it is so."""
    for process in processes(subject):
        parser = process.get(ENGINE_PARSER)
        if process.dynamo and process.role == "worker":
            alone = parser is not None and process.lacks(PARSER)
            if parser is not None and alone and not _elsewhere(subject, process):
                message = f"{ENGINE_PARSER} does not reach Dynamo's Frontend"
                yield at(process, parser, message, ENGINE_PARSER)
        elif not process.dynamo and process.engine == "vllm":
            auto = process.bare.get(AUTO_TOOL_CHOICE)
            if auto is not None and process.lacks(ENGINE_PARSER):
                message = f"{AUTO_TOOL_CHOICE} needs {ENGINE_PARSER}: the server does not start"
                yield at(process, None, message, AUTO_TOOL_CHOICE, Severity.ERROR, auto)
            elif auto is None and parser is not None and not process.opaque:
                message = f"without {AUTO_TOOL_CHOICE} tool_choice auto is refused"
                yield at(process, parser, message, ENGINE_PARSER)


def _elsewhere(subject: Subject, process: Worker) -> bool:
    """Whether another rule, or another process, has to do with the missing parser."""
    if any(view.on for view in views(subject) if view.worker is process):
        return True
    return engine_parses(subject, process) or misplaced(subject, process, PARSER)


RULE = Rule(
    code="D014",
    name="engine-parser-alone",
    severity=Severity.WARNING,
    summary=(
        "The engine's parser flag on a Dynamo worker, where Dynamo's own is missing; or half a "
        "pair."
    ),
    why=(
        "Dynamo's Frontend parses tool calls with `--dyn-tool-call-parser`; the engine's `--tool- "
        "call-parser` on a worker does not reach it, unless the Frontend runs `--dyn-chat- "
        "processor vllm` or `sglang`. vLLM's own server needs `--enable-auto-tool-choice` and "
        "`--tool-call-parser` together."
    ),
    mend="set --dyn-tool-call-parser on the worker; on vLLM's own server set both flags",
    check=check,
    bad=manifest("--tool-call-parser", "hermes"),
    good=manifest("--dyn-tool-call-parser", "hermes", "--dyn-enable-structural-tag"),
    source="Dynamo's page Chat Processors; vLLM's server",
)
