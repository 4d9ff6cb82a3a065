"""F007: a reference leads round and round."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.finite import chain, endless
from structag_cli.lint.rule import Rule
from structag_cli.lint.schemas import every_schema
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """The first reference of each tool that no finite value satisfies."""
    for tool, schema in every_schema(subject):
        for pointer, ref in endless(schema)[:1]:
            passed = chain(ref, schema)
            how = (
                f"{' leads to '.join(passed[:5])}, and no schema stands there: it does not compile"
                if passed
                else f"{ref} needs itself again, so no value is ever finished"
            )
            yield Found(
                f"{tool.schema_pointer}{pointer}/$ref",
                f"{tool.title}: {how}",
                effect="fails" if passed else None,
                keyword="$ref",
                subject=tool.title,
            )


RULE = Rule(
    code="F007",
    name="endless-recursion",
    severity=Severity.ERROR,
    summary="A `$ref` leads back to itself with no way out.",
    why=(
        "References that name only each other do not compile. A schema that requires itself "
        "does: the grammar then asks for one level more without end, and the call is cut off "
        "at the token limit, or stops at a place where only white space is allowed."
    ),
    mend=(
        "leave the property out of `required`, or allow another branch (null, or an empty array)"
    ),
    check=check,
    bad=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"tree": {"$ref": "#/$defs/node"}},
                "required": ["tree"],
                "$defs": {
                    "node": {
                        "type": "object",
                        "properties": {"next": {"$ref": "#/$defs/node"}},
                        "required": ["next"],
                    }
                },
            },
        }
    ],
    good=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"tree": {"$ref": "#/$defs/node"}},
                "required": ["tree"],
                "$defs": {
                    "node": {
                        "type": "object",
                        "properties": {"next": {"$ref": "#/$defs/node"}},
                        "required": [],
                    }
                },
            },
        }
    ],
    source="xgrammar 0.2.9, measured",
)
