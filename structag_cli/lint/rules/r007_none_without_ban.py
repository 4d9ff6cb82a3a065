"""R007: nothing keeps the model from a call that tool_choice forbids."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.requests import choice_pointer, decision_of, request_of
from structag_cli.lint.rule import Rule
from structag_cli.lint.samples import request
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """One finding a request."""
    request, decision = request_of(subject), decision_of(subject)
    if request is None or decision is None or not request.tools or request.choice.mode != "none":
        return
    if decision.outcome == "unconstrained":
        yield Found(
            choice_pointer(subject),
            f"tool_choice is none, and nothing bans calls: {decision.reason}",
        )


RULE = Rule(
    code="R007",
    name="none-without-ban",
    severity=Severity.INFO,
    summary="`tool_choice: none` with tools, and no ban.",
    why=(
        "Where the prompt still holds the tools, a model may write a call all the same, and "
        "its markup reaches the user as text. Some parsers have strings whose ban stops it, "
        "others none."
    ),
    mend=("leave the tools out of the request, or let the server take them out of the prompt"),
    check=check,
    bad=request(tool_choice="none"),
    good={"messages": [{"role": "user", "content": "hi"}], "tool_choice": "none"},
    parser="mistral",
    source="Dynamo 1.3.1, conformance corpus",
)
