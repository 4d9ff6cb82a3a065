"""R002: the request names a tool that it does not have."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.requests import choice_pointer, request_of
from structag_cli.lint.rule import Rule
from structag_cli.lint.samples import request
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    request = request_of(subject)
    if request is None or not request.tools:
        return
    names = {tool.name for tool in request.tools}
    wanted = [request.choice.name] if request.choice.name else list(request.choice.allowed or ())
    for name in wanted:
        if name not in names:
            yield Found(
                choice_pointer(subject), f"tool_choice names {name[:60]!r}, which is no tool"
            )


RULE = Rule(
    code="R002",
    name="named-tool-missing",
    severity=Severity.ERROR,
    summary="The request names a tool that it does not have.",
    why="Servers answer 400, or force a call of a tool that nobody can run.",
    mend="name one of the tools",
    check=check,
    bad=request(tool_choice={"type": "function", "function": {"name": "g"}}),
    good=request(tool_choice="auto"),
)
