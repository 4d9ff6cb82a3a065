"""T009: the parameters are not the schema of an object."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for tool in subject.tools:
        schema = tool.schema
        if schema is None or subject.kind == "schema":
            continue
        if not isinstance(schema, dict):
            yield Found(tool.schema_pointer, f"{tool.title}: not a JSON Schema", subject=tool.title)
            continue
        kind = schema.get("type")
        kinds = kind if isinstance(kind, list) else [kind]
        if kind is not None and "object" not in kinds:
            yield Found(
                f"{tool.schema_pointer}/type",
                f"{tool.title}: the parameters are of type {kind!r}",
                subject=tool.title,
            )
        elif kind is None and not ({"properties", "$ref", "anyOf", "oneOf", "allOf"} & set(schema)):
            yield Found(
                tool.schema_pointer,
                f"{tool.title}: the parameters do not say that they are an object",
                severity=Severity.INFO,
                subject=tool.title,
            )


RULE = Rule(
    code="T009",
    name="parameters-not-object",
    severity=Severity.ERROR,
    summary="The parameters are not the schema of an object.",
    why=(
        "Arguments are a JSON object. A schema of another type can never be satisfied by a "
        "call, and XML-like styles refuse it."
    ),
    mend='use {"type": "object", "properties": ...}',
    check=check,
    bad=[
        {
            "type": "function",
            "function": {"name": "f", "description": "Do it.", "parameters": {"type": "array"}},
        }
    ],
    good=[
        {
            "type": "function",
            "function": {
                "name": "f",
                "description": "Do it.",
                "parameters": {
                    "type": "object",
                    "properties": {"a": {"type": "string"}},
                    "required": ["a"],
                    "additionalProperties": False,
                },
            },
        }
    ],
)
