"""T005: two tools have one name."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    seen: dict[str, str] = {}
    for tool in subject.named_tools():
        if tool.name in seen:
            yield Found(
                f"{tool.pointer}/name",
                f"a second tool named {tool.name[:60]!r}; the first is at {seen[tool.name]}",
                subject=tool.title[:60],
            )
        seen.setdefault(tool.name, tool.pointer)


RULE = Rule(
    code="T005",
    name="duplicate-name",
    severity=Severity.ERROR,
    summary="Two tools have one name.",
    why=(
        "xgrammar makes a union of both schemas without a word: a call may follow either, "
        "and nobody can tell which tool is meant."
    ),
    mend="rename one",
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
                    "additionalProperties": False,
                },
            },
        },
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
