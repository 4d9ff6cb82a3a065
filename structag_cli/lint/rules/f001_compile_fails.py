"""F001: xgrammar cannot compile the schema."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.silent import probed
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """One finding a tool."""
    for tool, result in probed(subject):
        if result.error and not result.died:
            message = f"the schema does not compile: {result.error[:400]}"
            pointer = tool.schema_pointer + result.error_pointer
            yield Found(pointer, f"{tool.title}: {message}", subject=tool.title, effect="fails")


RULE = Rule(
    code="F001",
    name="compile-fails",
    severity=Severity.ERROR,
    summary="xgrammar cannot compile the schema.",
    why=(
        "The engine answers with an error, or falls back to no constraint at all, for every"
        " request that has this tool."
    ),
    mend="write the schema without it",
    check=check,
    deep=True,
    bad=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"s": {"type": "string", "pattern": "(?<=a)b"}},
                "required": ["s"],
            },
        }
    ],
    good=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"s": {"type": "string", "pattern": "^b$"}},
                "required": ["s"],
            },
        }
    ],
    source="xgrammar 0.2.9, measured",
)
