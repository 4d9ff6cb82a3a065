"""F010: arrays and objects without a bound."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.schemas import every_schema
from structag_cli.lint.subject import Subject
from structag_cli.lint.unbounded import without_bound


def check(subject: Subject) -> Iterator[Found]:
    """One finding a tool, with the places."""
    for tool, schema in every_schema(subject):
        places = [(p, what) for p, what in without_bound(schema) if what != "string"]
        if not places:
            continue
        shown = ", ".join(f"{p or '/'} ({what})" for p, what in places[:6])
        more = f" and {len(places) - 6} more" if len(places) > 6 else ""
        yield Found(
            tool.schema_pointer + places[0][0],
            f"{tool.title}: nothing but the token limit ends {shown}{more}",
            keyword="maxItems",
            subject=tool.title,
        )


RULE = Rule(
    code="F010",
    name="unbounded",
    severity=Severity.INFO,
    summary="Arrays, free objects or recursion without a bound.",
    why=(
        "A model that repeats itself is not stopped by the grammar: another item is always "
        "allowed, and the call is cut off at the token limit. Servers report it as a run-away"
        " generation. An array with `minItems` and no `maxItems` invites it most."
    ),
    mend="set maxItems or maxProperties, or close the object; and set max_tokens",
    check=check,
    bad=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {
                    "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1}
                },
                "required": ["tags"],
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
                    "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 8}
                },
                "required": ["tags"],
            },
        }
    ],
    source="xgrammar 0.2.9, measured",
)
