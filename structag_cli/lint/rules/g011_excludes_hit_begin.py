"""G011: `excludes` forbids the tag's own trigger or begin."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import begin_of, tag_nodes


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for node in tag_nodes(subject):
        for index, banned in enumerate(node.texts("excludes")):
            if banned == "":
                yield Found(
                    f"{node.pointer}/excludes/{index}",
                    "an empty exclude: no text is left",
                )
                continue
            reached = [*node.texts("triggers"), *(begin_of(tag) or "" for tag in node.tags())]
            hit = next((text for text in reached if banned in text), None)
            if hit is not None:
                yield Found(
                    f"{node.pointer}/excludes/{index}",
                    f"excludes {banned[:60]!r}, a part of {hit[:60]!r}: no call is possible",
                )


RULE = Rule(
    code="G011",
    name="excludes-hit-begin",
    severity=Severity.ERROR,
    summary="`excludes` forbids the tag's own trigger or begin.",
    why=(
        "Text that may not hold a part of the trigger can never reach it: no call is "
        "possible. An empty exclude allows the empty text alone. xgrammar compiles both "
        "without a word."
    ),
    mend="take it out of excludes",
    check=check,
    bad={
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
            "excludes": ["<f>"],
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
            "excludes": ["<think>"],
        },
    },
)
