"""T012: a tool with `strict: true` is outside of OpenAI's strict subset."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.strict_subset import strict_faults
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for tool, schema in subject.schemas():
        strict = tool.value.get("strict") is True
        for pointer, message in strict_faults(schema) if strict else ():
            yield Found(
                tool.schema_pointer + pointer, f"{tool.title}: {message}", subject=tool.title
            )


RULE = Rule(
    code="T012",
    name="strict-subset",
    severity=Severity.WARNING,
    summary="A tool with `strict: true` is outside of OpenAI's strict subset.",
    why=(
        "With `strict` the API takes a subset of JSON Schema: every object closed, every "
        "property required, and neither composition at the root nor unsupported keywords. "
        "Outside of it OpenAI answers 400; other servers go on with less than was asked."
    ),
    mend=(
        "close every object, require every property (nullable where optional), and leave "
        "out the keyword"
    ),
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
                    "required": ["a"],
                },
                "strict": True,
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
                "strict": True,
            },
        }
    ],
    source="OpenAI, Structured Outputs guide, supported schemas",
)
