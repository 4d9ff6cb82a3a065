"""T010: the parameters are not a valid JSON Schema."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.metaschema import schema_error
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for tool, schema in subject.schemas():
        error = schema_error(schema)
        if error is not None:
            pointer, message = error
            yield Found(
                tool.schema_pointer + pointer, f"{tool.title}: {message}", subject=tool.title
            )


RULE = Rule(
    code="T010",
    name="invalid-schema",
    severity=Severity.ERROR,
    summary="The parameters are not a valid JSON Schema.",
    why=(
        "A schema that breaks its own meta-schema means something else to each reader: "
        '`"required": true`, a type that does not exist, properties in a list.'
    ),
    mend="mend the schema at that place",
    check=check,
    bad=[
        {
            "type": "function",
            "function": {
                "name": "f",
                "description": "Do it.",
                "parameters": {"type": "object", "properties": {"a": {"type": "str"}}},
            },
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
