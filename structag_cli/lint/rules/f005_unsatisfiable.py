"""F005: no value fits a part of the schema."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.bounds import impossible
from structag_cli.lint.reach import reachable
from structag_cli.lint.rule import Rule
from structag_cli.lint.schemas import every_schema
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each schema that allows no value."""
    for tool, schema in every_schema(subject):
        for node, pointer in reachable(schema):
            for fault in impossible(node):
                yield Found(
                    tool.schema_pointer + pointer + (f"/{fault.keyword}" if fault.keyword else ""),
                    f"{tool.title}: {fault.message}; the whole schema fails to compile",
                    effect="fails",
                    keyword=fault.keyword or "false",
                    subject=tool.title,
                )


RULE = Rule(
    code="F005",
    name="unsatisfiable",
    severity=Severity.ERROR,
    summary="No value fits a part of the schema.",
    why=(
        "An empty enum, `false`, or bounds that exclude each other. xgrammar refuses the "
        "whole schema for one such part, even where the property is optional: the request "
        "fails, or goes on with no constraint."
    ),
    mend=("mend the bounds; leave out a property that may not be there, and close the object"),
    check=check,
    bad=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"n": {"type": "integer", "minimum": 5, "maximum": 1}},
                "required": ["n"],
            },
        }
    ],
    good=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"n": {"type": "integer", "minimum": 1, "maximum": 5}},
                "required": ["n"],
            },
        }
    ],
    source="xgrammar 0.2.9, measured",
)
