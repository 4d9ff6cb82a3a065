"""F011: strings without a bound."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.schemas import every_schema
from structag_cli.lint.subject import Subject
from structag_cli.lint.unbounded import without_bound


def check(subject: Subject) -> Iterator[Found]:
    """One finding a tool, with the places."""
    for tool, schema in every_schema(subject):
        places = [p for p, what in without_bound(schema) if what == "string"]
        if places:
            more = f" and {len(places) - 6} more" if len(places) > 6 else ""
            yield Found(
                tool.schema_pointer + places[0],
                f"{tool.title}: strings of any length: {', '.join(places[:6])}{more}",
                keyword="maxLength",
                subject=tool.title,
            )


RULE = Rule(
    code="F011",
    name="unbounded-strings",
    severity=Severity.INFO,
    summary="Strings without a bound.",
    why=(
        "Nearly every tool has them, and they are mostly meant. A model that loops inside a "
        "string is stopped by the token limit alone. `maxLength` bounds it, at a price: "
        "xgrammar 0.2.9 then refuses escapes, newlines and quotes among them (S106)."
    ),
    mend="set max_tokens; for short codes without escapes, set maxLength or an enum",
    check=check,
    opt_in=True,
    bad=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"code": {"type": "string"}},
                "required": ["code"],
            },
        }
    ],
    good=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"code": {"type": "string", "maxLength": 8}},
                "required": ["code"],
            },
        }
    ],
    source="xgrammar 0.2.9, measured",
)
