"""S102: the grammar refuses an instance that the schema allows."""

from collections.abc import Iterator, Mapping
from typing import Any

from structag_cli.emit.examples.reading import resolve
from structag_cli.emit.examples.trouble import NoExample
from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.silent import found_of, once_a_cause
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each cause once."""
    for tool, found in once_a_cause(subject, "forbids"):
        message = f"the grammar refuses valid data ({found.stress})"
        yield found_of(tool, found, message, severity=_severity(tool.schema, found.pointer))


_TIMES = ("date-time", "time")
"""RFC 3339 allows letters in lower case, which no one writes and the grammar refuses."""


def _severity(schema: Any, pointer: str) -> Severity | None:
    try:
        node = resolve(schema, f"#{pointer}")
    except NoExample:
        return None
    form = node.get("format") if isinstance(node, Mapping) else None
    return Severity.INFO if form in _TIMES else None


RULE = Rule(
    code="S102",
    name="valid-data-refused",
    severity=Severity.WARNING,
    summary="The grammar refuses an instance that the schema allows.",
    why=(
        "A grammar can be narrower than its schema: an object with `required` but no "
        "`properties` accepts only `{}`, `patternProperties` match whole keys, an array "
        "without `items` may accept only `[]`. The model cannot write what the schema "
        "promises. The witness is judged valid by `jsonschema` and refused by the compiled "
        "grammar."
    ),
    mend="write the schema so that the grammar allows it, or turn strict off for this tool",
    check=check,
    deep=True,
    bad=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"o": {"type": "object", "required": ["a"]}},
                "required": ["o"],
            },
        }
    ],
    good=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {
                    "o": {
                        "type": "object",
                        "properties": {"a": {"type": "string"}},
                        "required": ["a"],
                    }
                },
                "required": ["o"],
            },
        }
    ],
    source="xgrammar 0.2.9, measured",
)
