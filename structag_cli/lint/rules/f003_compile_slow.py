"""F003: compiling the schema takes long."""

from collections.abc import Iterator
from typing import Any

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.silent import probed
from structag_cli.lint.subject import Subject

LIMIT = 2.0
"""Seconds; a schema of an ordinary tool takes milliseconds."""


def check(subject: Subject) -> Iterator[Found]:
    """One finding a tool."""
    for tool, result in probed(subject):
        if result.seconds > LIMIT:
            message = f"compiling took {result.seconds:.1f} s; the grammar has {result.size} bytes"
            yield Found(
                tool.schema_pointer,
                f"{tool.title}: {message}",
                subject=tool.title,
            )


def _tool(pattern: str) -> list[Any]:
    properties = {"id": {"type": "string", "pattern": pattern}}
    parameters = {"type": "object", "properties": properties, "required": ["id"]}
    return [{"name": "f", "description": "Do f.", "parameters": parameters}]


RULE = Rule(
    code="F003",
    name="compile-slow",
    severity=Severity.WARNING,
    summary="Compiling the schema takes long.",
    why=(
        "The first request with this tool waits for the compile, and so do others that "
        "share the compiler's thread. Measured without a vocabulary; a real one takes "
        "longer."
    ),
    mend="fewer properties, smaller enums, and smaller bounds inside patterns",
    check=check,
    deep=True,
    bad=_tool("^[a-z]{1,11000}$"),
    good=_tool("^[a-z]{1,80}$"),
    source="xgrammar 0.2.9, measured",
)
