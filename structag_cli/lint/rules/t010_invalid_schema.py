"""T010: the parameters are not a valid JSON Schema."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from structag_cli.findings import Found, Severity
from structag_cli.lint.fixes.edits import Edit
from structag_cli.lint.metaschema import schema_error
from structag_cli.lint.one_reading import plain_slips
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for tool, schema in subject.schemas():
        error = schema_error(schema)
        if error is not None:
            pointer, message = error
            yield Found(
                tool.schema_pointer + pointer,
                f"{tool.title}: {message}",
                subject=tool.title,
                fix=_fix(schema, tool.schema_pointer),
            )


def _fix(schema: Mapping[str, Any], pointer: str) -> tuple[Edit, ...]:
    """All plain slips of the schema at once: the message names but the first fault."""
    return tuple(replace(edit, pointer=pointer + edit.pointer) for edit in plain_slips(schema))


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
    fix=(
        "Types in capitals or by their Python names (`STRING`, `str`), numbers and booleans in "
        'quotes (`"maxLength": "5"`), and names that stand twice in `required`: each has one '
        "reading. All of a schema's slips are mended together. Nothing else is: what "
        '`"required": true` in a property means for its object is for you to say.'
    ),
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
