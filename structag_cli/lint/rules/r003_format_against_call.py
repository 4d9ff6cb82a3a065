"""R003: a response format and a forced call contradict each other."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.requests import choice_pointer, request_of
from structag_cli.lint.rule import Rule
from structag_cli.lint.samples import request
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    request = request_of(subject)
    if request is None or request.response_format is None or request.response_format.kind == "text":
        return
    kind = request.response_format.kind
    if request.choice.mode in ("required", "named"):
        yield Found(
            choice_pointer(subject),
            f"tool_choice is {request.choice.mode}, and response_format is {kind}",
        )
    elif request.tools and request.choice.mode == "auto":
        yield Found(
            f"{subject.pointer}/response_format",
            f"response_format {kind} beside tools: Dynamo makes the whole output JSON, so no "
            "call can be written",
            severity=Severity.INFO,
        )


RULE = Rule(
    code="R003",
    name="format-against-call",
    severity=Severity.WARNING,
    summary="A response format and tools contradict each other.",
    why=(
        "The output cannot be both a call and a JSON answer: one of the constraints is "
        "dropped, which one depends on the server. With `auto` OpenAI takes either; Dynamo sends "
        "guided JSON instead of a tag, and the model can call nothing."
    ),
    mend="leave one out",
    check=check,
    bad=request(tool_choice="required", response_format={"type": "json_object"}),
    good=request(tool_choice="auto"),
)
