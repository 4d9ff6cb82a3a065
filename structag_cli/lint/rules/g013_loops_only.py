"""G013: after a call only another call may follow, with no end to it."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import TagNode, tag_nodes
from structag_cli.lint.tag_shape import holds_arguments

_BOUND = "repeat them at most as often as a call has arguments; and set max_tokens"


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for node in tag_nodes(subject, "plus", "star", "tags_with_separator"):
        content = node.value.get("content")
        if node.kind == "tags_with_separator":
            if node.value.get("stop_after_first") is True or _inside_text(node):
                continue
            message = "after a call only another call or the end may follow, without a bound"
            yield Found(node.pointer, message, severity=Severity.INFO)
        elif isinstance(content, dict) and content.get("type") == "tag":
            if any(holds_arguments(parent) for parent in node.parents):
                message = "arguments without a bound: the same one may come again and again"
                yield Found(node.pointer, message, severity=Severity.INFO, mend=_BOUND)
            else:
                yield Found(node.pointer, "calls without text between them and without a bound")


def _inside_text(node: TagNode) -> bool:
    """Whether the list stands in a block that free text may follow."""
    return any(parent.get("type") in ("triggered_tags", "dispatch") for parent in node.parents)


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
