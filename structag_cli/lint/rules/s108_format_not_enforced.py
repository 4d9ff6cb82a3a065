"""S108: a `format` is not enforced, or not wholly."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.silent import found_of, mismatches
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for tool, found in mismatches(subject, "format"):
        yield found_of(tool, found, f"the format is not enforced: {found.message}")


RULE = Rule(
    code="S108",
    name="format-not-enforced",
    severity=Severity.INFO,
    summary="A `format` is not enforced, or not wholly.",
    why=(
        "JSON Schema lets validators ignore `format`, and xgrammar knows some formats only,"
        " by their letters and not by their sense: the 30th of February is a date."
    ),
    mend="check the format after parsing, or write a pattern",
    check=check,
    deep=True,
    bad=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"s": {"type": "string", "format": "date"}},
                "required": ["s"],
                "additionalProperties": False,
            },
        }
    ],
    good=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"s": {"type": "string"}},
                "required": ["s"],
                "additionalProperties": False,
            },
        }
    ],
    source="xgrammar 0.2.9, measured",
)
