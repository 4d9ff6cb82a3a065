"""D004: structural tags are on, and the parser has none."""

from collections.abc import Iterator

from structag_cli.deployments.flags import PARSER
from structag_cli.findings import Found, Severity
from structag_cli.lint.deployments import at, manifest, supported, views
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each worker of which it is so."""
    for view in views(subject):
        parser = view.worker.get(PARSER)
        if not view.on or parser is None or not isinstance(parser.value, str):
            continue
        if not supported(parser.value, view.profile):
            message = f"{parser.value} has no structural tag in {view.profile}: calls fall back"
            yield at(view.worker, parser, message, PARSER)


RULE = Rule(
    code="D004",
    name="parser-without-tag",
    severity=Severity.WARNING,
    summary="Structural tags are on, and the parser has none.",
    why=(
        "A parser without a structural tag falls back to standard behaviour; the worker logs a "
        "warning once. Forced calls become guided JSON, all others are unconstrained, and nothing "
        "bans tool calls on `none`."
    ),
    mend="choose a parser with a tag, or switch the tags off; `structag parsers` lists them",
    check=check,
    bad=manifest("--dyn-tool-call-parser", "mistral", "--dyn-enable-structural-tag"),
    good=manifest("--dyn-tool-call-parser", "hermes", "--dyn-enable-structural-tag"),
    source="Dynamo's structural-tag page, supported parsers; requests to Dynamo 1.3.1",
)
