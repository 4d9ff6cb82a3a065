"""G007: two tags of one list begin alike."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import begin_of, tag_nodes
from structag_cli.lint.tag_shape import told_apart


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for node in tag_nodes(subject, "triggered_tags", "tags_with_separator"):
        seen: dict[str, int] = {}
        contents: dict[str, object] = {}
        for index, tag in enumerate(node.tags()):
            begin = begin_of(tag)
            if begin is None:
                continue
            first = seen.setdefault(begin, index)
            content = contents.setdefault(begin, tag.get("content"))
            if first != index and not told_apart(content, tag.get("content")):
                same = content == tag.get("content")
                yield Found(
                    f"{node.pointer}/tags/{index}/begin",
                    f"tag {index + 1} begins as tag {first + 1} does, {begin[:80]!r}, "
                    + ("with the same content" if same else "with other content: silently a union"),
                    severity=Severity.INFO if same else None,
                )


RULE = Rule(
    code="G007",
    name="duplicate-begin",
    severity=Severity.WARNING,
    summary="Two tags of one list begin alike.",
    why=(
        "xgrammar makes a union of them without a word: after that begin either schema may "
        "follow. Tags that go on with fixed texts that differ (a name behind an id) are told "
        "apart by those, and are no finding."
    ),
    mend="give each tag its own begin, or merge the schemas",
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
                },
                {
                    "type": "tag",
                    "begin": '<f>{"n": "f", "a": ',
                    "content": {"type": "json_schema", "json_schema": {"type": "object"}},
                    "end": "}</f>",
                },
            ],
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
