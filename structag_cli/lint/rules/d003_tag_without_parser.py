"""D003: structural tags are on, and no tool-call parser is set."""

from collections.abc import Iterator

from structag_cli.deployments.flags import ENGINE_PARSER, PARSER
from structag_cli.findings import Found, Severity
from structag_cli.lint.deployments import at, manifest, misplaced, views
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each worker of which it is so."""
    for view in views(subject):
        worker = view.worker
        if not view.on or not worker.lacks(PARSER) or misplaced(subject, worker, PARSER):
            continue
        engine = worker.get(ENGINE_PARSER)
        hint = "" if engine is None else f"; {ENGINE_PARSER} is the engine's own"
        yield at(worker, view.switch, f"tags are on, and no parser is set{hint}", PARSER)


RULE = Rule(
    code="D003",
    name="tag-without-parser",
    severity=Severity.WARNING,
    summary="Structural tags are on, and no tool-call parser is set.",
    why=(
        "The tag is built from the parser's format. Without a parser there is none: the worker "
        "runs, calls are not constrained, and tool calls stay in the text."
    ),
    mend="set --dyn-tool-call-parser, or switch the tags off",
    check=check,
    bad=manifest("--dyn-enable-structural-tag"),
    good=manifest("--dyn-tool-call-parser", "hermes", "--dyn-enable-structural-tag"),
    source="Dynamo's structural-tag page, supported parsers",
)
