"""S102: the grammar refuses an instance that the schema allows."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.silent import found_of, once_a_cause
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each cause once."""
    for tool, found in once_a_cause(subject, "forbids"):
        yield found_of(tool, found, f"the grammar refuses valid data ({found.stress})")


RULE = Rule(
    code="S102",
    name="valid-data-refused",
    severity=Severity.WARNING,
    summary="The grammar refuses an instance that the schema allows.",
    why=(
        "A grammar can be narrower than its schema: an object with `required` but no "
        "`properties` accepts only `{}`, `patternProperties` match whole keys, an array "
        "without `items` may accept only `[]`. The model cannot write what the schema "
        "promises. The witness is judged valid by `jsonschema` and refused by the compiled "
        "grammar."
    ),
    mend="write the schema so that the grammar allows it, or turn strict off for this tool",
    check=check,
    deep=True,
    bad=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"o": {"type": "object", "required": ["a"]}},
                "required": ["o"],
            },
        }
    ],
    good=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {
                    "o": {
                        "type": "object",
                        "properties": {"a": {"type": "string"}},
                        "required": ["a"],
                    }
                },
                "required": ["o"],
            },
        }
    ],
    source="xgrammar 0.2.9, measured",
)
