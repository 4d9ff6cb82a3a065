"""S104: the grammar refuses extra properties that the schema allows."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.silent import found_of, once_a_tool
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """One finding a tool."""
    for tool, found, _ in once_a_tool(subject, "extra"):
        yield found_of(
            tool, found, "extra properties are refused though the schema leaves the object open"
        )


RULE = Rule(
    code="S104",
    name="closed-object",
    severity=Severity.INFO,
    summary="The grammar refuses extra properties that the schema allows.",
    why=(
        "JSON Schema leaves an object open unless `additionalProperties` is false; xgrammar"
        " closes it. That is mostly what is wanted, but then the schema should say so."
    ),
    mend="say `additionalProperties: false`, or true where extra properties are meant",
    check=check,
    deep=True,
    bad=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"a": {"type": "string"}},
                "required": ["a"],
            },
        }
    ],
    good=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"a": {"type": "string"}},
                "required": ["a"],
                "additionalProperties": False,
            },
        }
    ],
    source="xgrammar 0.2.9, measured",
)
