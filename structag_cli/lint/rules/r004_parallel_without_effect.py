"""R004: `parallel_tool_calls` has no effect."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.requests import decision_of, request_of
from structag_cli.lint.rule import Rule
from structag_cli.lint.samples import request
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    request = request_of(subject)
    if request is None or request.parallel_tool_calls is None:
        return
    pointer = f"{subject.pointer}/parallel_tool_calls"
    if not request.tools or request.choice.mode == "none":
        why = "there are no tools" if not request.tools else "tool_choice is none"
        yield Found(pointer, f"parallel_tool_calls has no effect: {why}")
    elif not request.parallel_tool_calls and _several(subject):
        yield Found(
            pointer,
            f"nothing enforces parallel_tool_calls false: {_several(subject)}",
            "choose a parser with a tag, or count the calls afterwards",
            severity=Severity.WARNING,
        )


def _several(subject: Subject) -> str:
    """Why several calls get through all the same; empty where they do not, or nobody knows."""
    request, decision = request_of(subject), decision_of(subject)
    if request is None or decision is None:
        return ""
    if decision.outcome == "unconstrained":
        return decision.reason
    forced = decision.outcome == "guided_json" and request.choice.mode == "required"
    return f"{decision.reason}, a list of any length" if forced else ""


RULE = Rule(
    code="R004",
    name="parallel-without-effect",
    severity=Severity.INFO,
    summary="`parallel_tool_calls` has no effect.",
    why=(
        "Without tools, or where no call may be made, it decides nothing. Where the parser has no "
        "tag, `false` is a wish: Dynamo constrains nothing then, or sends guided JSON that is a "
        "list of any length."
    ),
    mend="leave it out",
    check=check,
    bad=request(tool_choice="none", parallel_tool_calls=False),
    good=request(tool_choice="auto"),
)
