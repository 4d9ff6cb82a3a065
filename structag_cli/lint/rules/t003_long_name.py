"""T003: a tool's name is longer than 64 characters."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.policy.validate import OPENAI_NAME_LIMIT


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for tool in subject.named_tools():
        if len(tool.name) > OPENAI_NAME_LIMIT:
            yield Found(
                f"{tool.pointer}/name",
                f"the name {tool.name[:23]}... has {len(tool.name)} characters",
                subject=tool.title[:40],
            )


RULE = Rule(
    code="T003",
    name="long-name",
    severity=Severity.WARNING,
    summary="A tool's name is longer than 64 characters.",
    why=(
        "OpenAI refuses names of more than 64 characters; Dynamo accepts them. A long name "
        "costs tokens in the prompt and in each call."
    ),
    mend="shorten it",
    check=check,
    bad=[
        {
            "type": "function",
            "function": {
                "name": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
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
