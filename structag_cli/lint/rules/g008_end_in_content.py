"""G008: the content can hold the tag's end."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.closings import CLOSINGS
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import ends_of, tag_nodes


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for node in tag_nodes(subject, "tag"):
        content = node.value.get("content")
        if not isinstance(content, dict) or content.get("type") != "json_schema":
            continue
        if content.get("style", "json") == "json":
            continue
        closing = CLOSINGS.get(str(content.get("style")))
        for end in ends_of(node.value):
            if closing and end and end.strip() and end.strip().startswith(closing):
                yield Found(f"{node.pointer}/end", f"a value can hold the end {end[:60]!r}")


RULE = Rule(
    code="G008",
    name="end-in-content",
    severity=Severity.WARNING,
    summary="The content can hold the tag's end.",
    why=(
        "Free text up to an end stops at the first such text: a value that holds it is cut "
        "off there, and the rest must fit what comes next."
    ),
    mend="choose an end that the content cannot hold, or exclude it there",
    check=check,
    bad={
        "type": "structural_tag",
        "format": {
            "type": "tag",
            "begin": "<f>",
            "content": {
                "type": "json_schema",
                "json_schema": {
                    "type": "object",
                    "properties": {"a": {"type": "string"}},
                    "required": ["a"],
                },
                "style": "qwen_xml",
            },
            "end": "</parameter>",
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
