"""F006: keywords contradict each other, and the schema compiles."""

from collections.abc import Iterator, Mapping
from typing import Any

from structag_cli.findings import Found, Severity
from structag_cli.lint.contradictions import contradictions
from structag_cli.lint.reach import reachable
from structag_cli.lint.rule import Rule
from structag_cli.lint.schemas import every_schema
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each contradiction within one schema."""
    for tool, schema in every_schema(subject):
        for node, pointer in reachable(schema):
            if not isinstance(node, Mapping):
                continue
            for keyword, message in contradictions(node, schema):
                yield Found(
                    f"{tool.schema_pointer}{pointer}/{keyword}",
                    f"{tool.title}: {message}",
                    _mend(node, keyword),
                    effect="drops",
                    keyword=keyword,
                    subject=tool.title,
                )


def _mend(node: Mapping[str, Any], keyword: str) -> str:
    if keyword == "enum" and node.get("type") == "array":
        return "put the enum under items, if it lists what the array may hold"
    return ""


RULE = Rule(
    code="F006",
    name="keywords-contradict",
    severity=Severity.WARNING,
    summary="Keywords of one schema contradict each other.",
    why=(
        "xgrammar compiles the values of `enum` and `const` and nothing beside them, any JSON"
        " value for an `allOf` of several members, and nothing at all for an empty `anyOf`, "
        "after which the output is no JSON. So the call arrives, and whoever validates it "
        "refuses it."
    ),
    mend="list values of the type only, and keep one of the two",
    check=check,
    bad=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"level": {"type": "integer", "enum": ["low", "high"]}},
                "required": ["level"],
            },
        }
    ],
    good=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"level": {"type": "string", "enum": ["low", "high"]}},
                "required": ["level"],
            },
        }
    ],
    source="xgrammar 0.2.9, measured",
)
