"""R001: the request forces a call and has no tools."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.requests import choice_pointer, request_of
from structag_cli.lint.rule import Rule
from structag_cli.lint.samples import request
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    request = request_of(subject)
    if request is not None and request.choice.mode in ("required", "named") and not request.tools:
        yield Found(
            choice_pointer(subject), f"tool_choice is {request.choice.mode}, and there are no tools"
        )


RULE = Rule(
    code="R001",
    name="required-without-tools",
    severity=Severity.ERROR,
    summary="The request forces a call and has no tools.",
    why="No call is possible: servers answer 400.",
    mend="give tools, or leave tool_choice out",
    check=check,
    bad={"messages": [{"role": "user", "content": "hi"}], "tool_choice": "required"},
    good=request(tool_choice="auto"),
)
