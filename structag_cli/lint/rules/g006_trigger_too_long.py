"""G006: a trigger holds a tool's name, so a wrong name goes through as text."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import begin_of, common_prefix, tag_nodes


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for node in tag_nodes(subject, "triggered_tags"):
        begins = [begin_of(tag) or "" for tag in node.tags()]
        if len(set(begins)) < 2:
            continue
        common = common_prefix(begins)
        for index, trigger in enumerate(node.texts("triggers")):
            if len(trigger) > len(common) > 0 and trigger.startswith(common):
                yield Found(
                    f"{node.pointer}/triggers/{index}",
                    f"trigger {trigger[:80]!r} goes beyond {common[:60]!r}, which all tags share",
                )


RULE = Rule(
    code="G006",
    name="trigger-too-long",
    severity=Severity.WARNING,
    summary="A trigger holds a tool's name, so a wrong name goes through as text.",
    why=(
        "In auto mode everything before the trigger is free text. A trigger as long as the "
        "whole begin is not met by a call of a tool that does not exist, so the grammar "
        "lets that call pass as text."
    ),
    mend="end the trigger before the name",
    check=check,
    bad={
        "type": "structural_tag",
        "format": {
            "type": "triggered_tags",
            "triggers": ["<f=get", "<f=set"],
            "tags": [
                {
                    "type": "tag",
                    "begin": "<f=get>",
                    "content": {
                        "type": "json_schema",
                        "json_schema": {
                            "type": "object",
                            "properties": {"a": {"type": "string"}},
                            "required": ["a"],
                        },
                    },
                    "end": "</f>",
                },
                {
                    "type": "tag",
                    "begin": "<f=set>",
                    "content": {
                        "type": "json_schema",
                        "json_schema": {
                            "type": "object",
                            "properties": {"a": {"type": "string"}},
                            "required": ["a"],
                        },
                    },
                    "end": "</f>",
                },
            ],
        },
    },
    good={
        "type": "structural_tag",
        "format": {
            "type": "triggered_tags",
            "triggers": ["<f="],
            "tags": [
                {
                    "type": "tag",
                    "begin": "<f=get>",
                    "content": {
                        "type": "json_schema",
                        "json_schema": {
                            "type": "object",
                            "properties": {"a": {"type": "string"}},
                            "required": ["a"],
                        },
                    },
                    "end": "</f>",
                },
                {
                    "type": "tag",
                    "begin": "<f=set>",
                    "content": {
                        "type": "json_schema",
                        "json_schema": {
                            "type": "object",
                            "properties": {"a": {"type": "string"}},
                            "required": ["a"],
                        },
                    },
                    "end": "</f>",
                },
            ],
        },
    },
)
