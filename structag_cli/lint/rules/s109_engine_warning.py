"""S109: xgrammar warns while it compiles the schema."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.silent import probed
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """One finding a tool."""
    for tool, result in probed(subject):
        if result.warnings:
            message = f"xgrammar warns: {_said(result.warnings)[:400]}"
            yield Found(
                tool.schema_pointer, f"{tool.title}: {message}", subject=tool.title, effect="drops"
            )


def _said(warnings: list[str]) -> str:
    """The warnings in a line, without the word with which each begins."""
    return "; ".join(warning.removeprefix("Warning: ") for warning in warnings)


RULE = Rule(
    code="S109",
    name="engine-warning",
    severity=Severity.WARNING,
    summary="xgrammar warns while it compiles the schema.",
    why=(
        "xgrammar prints such warnings from native code to stderr, where nobody sees them "
        "or knows which tool they belong to."
    ),
    mend="write the schema without what it names, or validate the arguments after parsing",
    check=check,
    deep=True,
    bad=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"v": {"oneOf": [{"type": "integer"}, {"type": "number"}]}},
                "required": ["v"],
            },
        }
    ],
    good=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"v": {"type": "number"}},
                "required": ["v"],
            },
        }
    ],
    source="xgrammar 0.2.9, measured",
)
