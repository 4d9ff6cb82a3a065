"""F004: a reference that leads out of the schema, or nowhere."""

from collections.abc import Iterator
from typing import Any

from structag_cli.findings import Found, Severity
from structag_cli.lint.nodes import subschemas
from structag_cli.lint.rule import Rule
from structag_cli.lint.schemas import every_schema
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each reference that has no target in the schema."""
    from structag_cli.lint.deep.view import target

    for tool, schema in every_schema(subject):
        for node, pointer in subschemas(schema):
            ref = node.get("$ref")
            if isinstance(ref, str) and target(ref, schema) is None:
                yield _found(tool, pointer, ref)


def _found(tool: Any, pointer: str, ref: str) -> Found:
    where = "nothing in the schema" if ref.startswith("#") else "outside of the schema"
    return Found(
        f"{tool.schema_pointer}{pointer}/$ref",
        f"{tool.title}: $ref {ref[:120]!r} leads to {where}"
        + ("" if ref.startswith("#") else ", so the grammar accepts any JSON value here"),
        effect=None if ref.startswith("#") else "drops",
        keyword="$ref",
        subject=tool.title,
    )


RULE = Rule(
    code="F004",
    name="ref-outside",
    severity=Severity.ERROR,
    summary="A `$ref` leads out of the schema, or to nothing.",
    why="xgrammar fetches nothing: a reference that is not local accepts any JSON value, with a "
    "warning on stderr; a local one without a target fails to compile.",
    mend="put the schema under $defs and refer to it by #/$defs/...",
    check=check,
    bad=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"a": {"$ref": "https://example.com/a.json"}},
            },
        }
    ],
    good=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/a"}},
                "$defs": {"a": {"type": "string"}},
            },
        }
    ],
    source="xgrammar 0.2.9, measured",
)
