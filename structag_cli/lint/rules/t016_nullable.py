"""T016: OpenAPI's `nullable`, which JSON Schema and the grammar do not know."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.deep.judge import Judge, child_error
from structag_cli.lint.nodes import subschemas
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each node that says it and does not allow null in JSON Schema's own words."""
    for tool, schema in subject.schemas():
        said = [pair for pair in subschemas(schema) if pair[0].get("nullable") is True]
        judge = Judge(schema) if said else None
        for node, pointer in said:
            if judge is not None and child_error(judge, node, None) is False:
                yield Found(
                    f"{tool.schema_pointer}{pointer}/nullable",
                    f"{tool.title}: `nullable` is ignored: null is refused",
                    effect="forbids",
                    keyword="nullable",
                    subject=tool.title,
                )


def _tool(type_: object, **more: object) -> list[object]:
    parameters = {
        "type": "object",
        "properties": {"note": {"type": type_, "description": "A note.", **more}},
        "required": ["note"],
        "additionalProperties": False,
    }
    return [{"name": "f", "description": "Do f.", "parameters": parameters}]


RULE = Rule(
    code="T016",
    name="nullable",
    severity=Severity.WARNING,
    summary="OpenAPI's `nullable` is no keyword of JSON Schema, and the grammar ignores it.",
    why=(
        "`nullable: true` comes from OpenAPI 3.0. xgrammar reads JSON Schema: it drops the "
        "word silently and refuses null, so the model must make a value up where it has none."
    ),
    mend='write `"type": ["string", "null"]`, or `anyOf` with `{"type": "null"}`',
    check=check,
    bad=_tool("string", nullable=True),
    good=_tool(["string", "null"]),
    source="xgrammar 0.2.9, measured",
)
