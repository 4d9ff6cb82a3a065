"""S107: an unanchored pattern must match the whole string."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.silent import found_of, once_a_place
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for tool, found, _ in once_a_place(subject, "pattern"):
        yield found_of(tool, found, "the pattern is taken as anchored, or read in another way")


RULE = Rule(
    code="S107",
    name="pattern-anchored",
    severity=Severity.WARNING,
    summary="An unanchored pattern must match the whole string.",
    why=(
        "JSON Schema searches for a pattern anywhere in the string; the grammar takes it "
        "for the whole."
    ),
    mend="write what may stand round it, `.*abc.*`, or anchor it with ^ and $",
    check=check,
    deep=True,
    bad=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"s": {"type": "string", "pattern": "abc"}},
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
                "properties": {"s": {"type": "string", "pattern": "^abc$"}},
                "required": ["s"],
                "additionalProperties": False,
            },
        }
    ],
    source="xgrammar 0.2.9, measured",
)
