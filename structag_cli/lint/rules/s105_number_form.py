"""S105: the grammar refuses a valid way to write a number."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.silent import found_of, once_a_tool
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """One finding a tool."""
    for tool, found, count in once_a_tool(subject, "number"):
        places = f" ({count} places)" if count > 1 else ""
        yield found_of(tool, found, f"a valid way to write a number is refused{places}")


RULE = Rule(
    code="S105",
    name="number-form",
    severity=Severity.INFO,
    summary="The grammar refuses a valid way to write a number.",
    why=(
        "`1.0` and `1e3` are integers by JSON Schema; the grammar of an integer has digits "
        "only, and of a bounded number no exponent."
    ),
    mend="expect plain digits",
    check=check,
    deep=True,
    bad=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"n": {"type": "integer"}},
                "required": ["n"],
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
