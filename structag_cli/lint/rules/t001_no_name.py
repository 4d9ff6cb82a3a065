"""T001: a tool has no name."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for tool in subject.tools:
        if subject.kind != "schema" and (not isinstance(tool.name, str) or not tool.name):
            yield Found(tool.pointer, f"tool {tool.title} has no name", subject=tool.title)


RULE = Rule(
    code="T001",
    name="no-name",
    severity=Severity.ERROR,
    summary="A tool has no name.",
    why=("Every server refuses a tool without a name, and no begin string can be built for it."),
    mend="give it a name",
    check=check,
    bad=[
        {
            "type": "function",
            "function": {
                "name": "",
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
