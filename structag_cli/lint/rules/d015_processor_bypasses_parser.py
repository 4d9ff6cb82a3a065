"""D015: the Frontend leaves parsing to the engine, and the worker's Dynamo parser is idle."""

from collections.abc import Iterator

from structag_cli.deployments.flags import PARSER
from structag_cli.findings import Found, Severity
from structag_cli.lint.deployments import at, engine_parses, manifest, views
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each worker of which it is so."""
    for view in views(subject):
        parser = view.worker.get(PARSER)
        if parser is not None and engine_parses(subject, view.worker):
            message = f"{PARSER} is idle: the Frontend parses with the engine's parser"
            yield at(view.worker, parser, message, PARSER)


RULE = Rule(
    code="D015",
    name="processor-bypasses-parser",
    severity=Severity.WARNING,
    summary="The Frontend leaves parsing to the engine, and the worker's Dynamo parser is idle.",
    why=(
        "With `--dyn-chat-processor vllm` or `sglang` the Frontend parses with the engine's "
        "Python parser, named by its own `--tool-call-parser`. Dynamo's parser on the worker is "
        "not used, and its ban of tool-call tokens on `none` does not happen."
    ),
    mend="drop --dyn-chat-processor, or set --tool-call-parser on the Frontend instead",
    check=check,
    bad=manifest("--dyn-tool-call-parser", "hermes", frontend=("--dyn-chat-processor", "sglang")),
    good=manifest("--dyn-tool-call-parser", "hermes", "--dyn-enable-structural-tag"),
    source="Dynamo's page Parser Configuration, the pairing rule",
)
