"""R005: no structural tag will apply, though the request plainly wants one."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.requests import request_of
from structag_cli.lint.rule import Rule
from structag_cli.lint.samples import request, tool
from structag_cli.lint.subject import Subject
from structag_cli.pipeline import answer


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    request = request_of(subject)
    settings = subject.settings
    if request is None or not request.tools or settings.parser is None:
        return
    strict = [tool for tool in request.tools if tool.strict]
    if not strict or request.choice.mode == "none":
        return
    outcome = answer(request, settings.policy).decision
    if outcome.outcome == "unconstrained":
        yield Found(
            subject.pointer, f"{strict[0].name} is strict, and nothing applies: {outcome.reason}"
        )


RULE = Rule(
    code="R005",
    name="no-tag-though-strict",
    severity=Severity.WARNING,
    summary="No structural tag will apply, though the request plainly wants one.",
    why=(
        "With scope `auto` Dynamo sends a tag for `auto` only where a tool is strict, and "
        "for parsers that have one. A forced or strict call without a tag is constrained by"
        " nothing."
    ),
    mend="choose a parser that has a tag, or scope `always`",
    check=check,
    bad=request(tool(strict=True)),
    good=request(tool_choice="auto"),
    parser="mistral",
)
