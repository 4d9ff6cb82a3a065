"""T006: two names differ only in case or in characters that servers clean away."""

import re
from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    seen: dict[str, str] = {}
    for tool in subject.named_tools():
        cleaned = re.sub(r"[^a-z0-9]+", "_", tool.name.lower())
        other = seen.setdefault(cleaned, tool.name)
        if other != tool.name:
            yield Found(
                f"{tool.pointer}/name",
                f"{tool.name[:60]!r} and {other[:60]!r} are easily taken for each other",
                subject=tool.title[:60],
            )


RULE = Rule(
    code="T006",
    name="names-alike",
    severity=Severity.WARNING,
    summary="Two names differ only in case or in characters that servers clean away.",
    why=(
        "Servers and clients replace characters that they do not allow, and models mix up "
        "case: `a b`, `a-b` and `a_b` may all arrive as one tool."
    ),
    mend="rename one",
    check=check,
    bad=[
        {
            "type": "function",
            "function": {
                "name": "get_it",
                "description": "Do it.",
                "parameters": {
                    "type": "object",
                    "properties": {"a": {"type": "string"}},
                    "required": ["a"],
                    "additionalProperties": False,
                },
            },
        },
        {
            "type": "function",
            "function": {
                "name": "get-it",
                "description": "Do it.",
                "parameters": {
                    "type": "object",
                    "properties": {"a": {"type": "string"}},
                    "required": ["a"],
                    "additionalProperties": False,
                },
            },
        },
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
