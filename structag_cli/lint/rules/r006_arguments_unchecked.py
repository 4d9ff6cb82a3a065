"""R006: the tag lets a tool's arguments be any JSON."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.requests import decision_of, request_of
from structag_cli.lint.rule import Rule
from structag_cli.lint.samples import request, tool
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """One finding a request, with the tools."""
    request, decision = request_of(subject), decision_of(subject)
    if request is None or decision is None or decision.plan is None or subject.kind != "request":
        return
    declared = {tool.name for tool in request.tools or () if tool.parameters is not None}
    free = [p.name for p in decision.plan.tools if p.schema is True and p.name in declared]
    if free:
        shown = ", ".join(free[:5]) + (f" and {len(free) - 5} more" if len(free) > 5 else "")
        take = "takes" if len(free) == 1 else "take"
        yield Found(
            subject.pointer,
            f"the tag holds the schema of no tool that is not strict: {shown} {take} any JSON",
        )


RULE = Rule(
    code="R006",
    name="arguments-unchecked",
    severity=Severity.INFO,
    summary="The tag lets the arguments of some tools be any JSON.",
    why=(
        "A call that is forced, or a tool that is strict, brings a tag for all tools. In "
        "schema mode `auto` Dynamo puts only the schemas of strict tools into it; the call of"
        " any other has the right name and whatever arguments the model writes."
    ),
    mend="set strict on the tools, or --dyn-structural-tag-schema strict",
    check=check,
    bad=request(tool(strict=True), tool("g")),
    good=request(tool(strict=True), tool("g", strict=True)),
    parser="qwen3_coder",
    source="Dynamo 1.3.1, conformance corpus",
)
