"""T008: a tool has no parameters."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for tool in subject.tools:
        if tool.schema is None and subject.kind != "schema":
            yield Found(tool.pointer, f"{tool.title} has no parameters", subject=tool.title)


RULE = Rule(
    code="T008",
    name="no-parameters",
    severity=Severity.INFO,
    summary="A tool has no parameters.",
    why=(
        "Without a schema the grammar takes any JSON object as arguments. A tool that takes"
        " none should say so."
    ),
    mend='write {"type": "object", "properties": {}, "additionalProperties": false}',
    check=check,
    bad=[{"type": "function", "function": {"name": "f", "description": "Do it."}}],
    good=[
        {
            "type": "function",
            "function": {
                "name": "f",
                "description": "Do it.",
                "parameters": {
                    "type": "object",
                    "properties": {"a": {"type": "string"}},
                    "required": ["a"],
                    "additionalProperties": False,
                },
            },
        }
    ],
)
