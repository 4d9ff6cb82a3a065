"""T002: a tool's name has characters that OpenAI's API refuses."""

import re
from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for tool in subject.named_tools():
        if tool.name and not re.fullmatch(r"[A-Za-z0-9_-]+", tool.name):
            odd = sorted(set(re.findall(r"[^A-Za-z0-9_-]", tool.name)))
            dotted = set(odd) <= {".", "/", ":"}
            yield Found(
                f"{tool.pointer}/name",
                f"the name {tool.name[:80]!r} has {', '.join(map(repr, odd[:5]))}",
                severity=Severity.WARNING if dotted else None,
                subject=tool.title,
            )


RULE = Rule(
    code="T002",
    name="bad-name",
    severity=Severity.ERROR,
    summary="A tool's name has characters that OpenAI's API refuses.",
    why=(
        "OpenAI and most servers take letters, digits, `_` and `-` alone. Others clean the "
        "name, so that two names become one, or the call comes back under another name."
    ),
    mend="use letters, digits, _ and -",
    check=check,
    bad=[
        {
            "type": "function",
            "function": {
                "name": "get weather",
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
