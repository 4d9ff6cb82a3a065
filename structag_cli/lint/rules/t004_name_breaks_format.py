"""T004: a tool's name cannot stand inside this parser's begin string."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.names import name_fault
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    if subject.settings.grammar is None:
        return
    for tool in subject.named_tools():
        fault = name_fault(subject.settings.grammar, tool.name)
        if fault:
            yield Found(
                f"{tool.pointer}/name",
                f"{tool.name[:60]!r} cannot stand in {subject.settings.grammar.format}: {fault}",
                subject=tool.title[:60],
            )


RULE = Rule(
    code="T004",
    name="name-breaks-format",
    severity=Severity.ERROR,
    summary="A tool's name cannot stand inside this parser's begin string.",
    why=(
        "The begin string holds the name as it is. A quotation mark ends the name early in "
        "JSON formats, `>` or a newline in `<function=...>`, so the call that the grammar "
        "forces is one that the parser cannot read."
    ),
    mend="rename the tool",
    check=check,
    bad=[
        {
            "type": "function",
            "function": {
                "name": 'say "hi"',
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
    parser="hermes",
)
