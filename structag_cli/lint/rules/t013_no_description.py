"""T013: a tool or one of its parameters has no description."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for tool in subject.tools:
        if subject.kind != "schema" and not tool.value.get("description"):
            yield Found(tool.pointer, f"{tool.title} has no description", subject=tool.title)


RULE = Rule(
    code="T013",
    name="no-description",
    severity=Severity.INFO,
    summary="A tool or one of its parameters has no description.",
    why="The description is all that the model knows of a tool.",
    mend="say what it does and when to use it",
    check=check,
    bad=[
        {
            "type": "function",
            "function": {
                "name": "f",
                "description": "",
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
