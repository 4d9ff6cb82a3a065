"""T007: a begin string is the beginning of another tool's."""

import itertools
from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.names import begins_of
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    if subject.settings.grammar is None:
        return
    begins = {
        begin: tool
        for tool in subject.named_tools()
        for begin in begins_of(subject.settings.grammar, tool.name)
    }
    ordered = sorted(begins)
    for one, other in itertools.pairwise(ordered):
        if other.startswith(one) and begins[one].name != begins[other].name:
            yield Found(
                f"{begins[one].pointer}/name",
                f"{one!r} begins {other!r}, too",
                subject=begins[one].title[:60],
            )


RULE = Rule(
    code="T007",
    name="name-is-prefix",
    severity=Severity.WARNING,
    summary="A begin string is the beginning of another tool's.",
    why=(
        "Where nothing closes the name, `get` and `get_all` begin alike: the grammar must "
        "guess which tool is meant until the names part."
    ),
    mend="rename one, so that neither begins the other",
    check=check,
    bad=[
        {
            "type": "function",
            "function": {
                "name": "get",
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
                "name": "get_all",
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
                "name": "get",
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
                "name": "fetch_all",
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
    parser="glm47",
)
