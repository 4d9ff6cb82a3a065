"""F008: the schema is nested so deeply that it compiles slowly."""

import json
import re
from collections.abc import Iterator
from typing import Any

from structag_cli.findings import Found, Severity
from structag_cli.lint.reach import reachable
from structag_cli.lint.rule import Rule
from structag_cli.lint.schemas import every_schema
from structag_cli.lint.subject import Subject

DEEPEST = 50
"""Levels of objects and arrays. Measured without a vocabulary, on one core: objects 100 deep
take 0.3 s to compile, 200 deep 1.8 s, 500 deep 24 s; arrays 500 deep 8 s and 15 MB."""

_LEVEL = re.compile(r"/properties/[^/]*|/(?:items|additionalProperties)(?=/|$)|/prefixItems/")


def check(subject: Subject) -> Iterator[Found]:
    """The deepest place of each tool whose schema goes beyond the limit."""
    for tool, schema in every_schema(subject):
        depth, pointer = max(
            ((len(_LEVEL.findall(pointer)), pointer) for _, pointer in reachable(schema)),
            key=lambda pair: pair[0],
        )
        if depth > DEEPEST:
            yield Found(
                tool.schema_pointer + pointer,
                f"{tool.title}: nested {depth} levels deep",
                subject=tool.title,
            )


def _nested(levels: int) -> str:
    """Tools whose schema is an array of arrays, as JSON."""
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "array", "items": schema}
    parameters = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
    return json.dumps([{"name": "f", "description": "Do f.", "parameters": parameters}])


RULE = Rule(
    code="F008",
    name="deep-nesting",
    severity=Severity.WARNING,
    summary="The schema is nested more than 50 levels deep.",
    why=(
        "The time to compile grows with the square of the depth and more: measured without a "
        "vocabulary, objects 100 deep take 0.3 s, 200 deep 1.8 s and 500 deep 24 s; arrays "
        "500 deep make a grammar of 15 MB. Models lose count of the brackets long before."
    ),
    mend="flatten it, or put the repeated part under $defs and refer to it",
    check=check,
    bad=_nested(60),
    good=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"a": {"type": "array", "items": {"type": "string"}}},
                "required": ["a"],
            },
        }
    ],
    source="xgrammar 0.2.9, measured",
)
