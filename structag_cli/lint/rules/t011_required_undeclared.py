"""T011: `required` names a property that is not declared."""

from collections.abc import Iterator, Mapping
from typing import Any

from structag_cli.findings import Found, Severity
from structag_cli.lint.nodes import subschemas
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for tool, schema in subject.schemas():
        for node, pointer in subschemas(schema):
            declared, required = node.get("properties"), node.get("required")
            if not isinstance(declared, dict) or not isinstance(required, list):
                continue
            for index, name in enumerate(required):
                if isinstance(name, str) and name not in declared and not _open(node):
                    yield Found(
                        f"{tool.schema_pointer}{pointer}/required/{index}",
                        f"{tool.title}: {name[:60]!r} is required and not declared",
                        keyword="required",
                        subject=tool.title,
                    )


def _open(node: Mapping[str, Any]) -> bool:
    """Whether the property may come from elsewhere: a combination, a pattern."""
    keys = ("allOf", "anyOf", "oneOf", "$ref", "patternProperties", "if")
    return any(key in node for key in keys)


RULE = Rule(
    code="T011",
    name="required-undeclared",
    severity=Severity.WARNING,
    summary="`required` names a property that is not declared.",
    why=(
        "The model is not told of the property, yet must write it; a closed object can "
        "never be satisfied."
    ),
    mend="declare it under properties, or take it out of required",
    check=check,
    bad=[
        {
            "type": "function",
            "function": {
                "name": "f",
                "description": "Do it.",
                "parameters": {
                    "type": "object",
                    "properties": {"a": {"type": "string"}},
                    "required": ["a", "b"],
                },
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
