"""G013: after a call only another call may follow, with no end to it."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import tag_nodes


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for node in tag_nodes(subject, "plus", "star"):
        content = node.value.get("content")
        if isinstance(content, dict) and content.get("type") == "tag":
            yield Found(node.pointer, "calls without text between them and without a bound")


RULE = Rule(
    code="G013",
    name="loops-only",
    severity=Severity.WARNING,
    summary="After a call only another call may follow, with no end to it.",
    why=(
        "A list without an upper bound, in which free text is impossible, lets a model "
        "repeat the same call up to the token limit; greedy decoding often does."
    ),
    mend="set stop_after_first where one call is meant, or a bound on repetition",
    check=check,
    bad={
        "type": "structural_tag",
        "format": {
            "type": "plus",
            "content": {
                "type": "tag",
                "begin": '<f>{"n": "f", "a": ',
                "content": {
                    "type": "json_schema",
                    "json_schema": {
                        "type": "object",
                        "properties": {"a": {"type": "string"}},
                        "required": ["a"],
                    },
                },
                "end": "}</f>",
            },
        },
    },
    good={
        "type": "structural_tag",
        "format": {
            "type": "triggered_tags",
            "triggers": ["<f>"],
            "tags": [
                {
                    "type": "tag",
                    "begin": '<f>{"n": "f", "a": ',
                    "content": {
                        "type": "json_schema",
                        "json_schema": {
                            "type": "object",
                            "properties": {"a": {"type": "string"}},
                            "required": ["a"],
                        },
                    },
                    "end": "}</f>",
                }
            ],
        },
    },
)
