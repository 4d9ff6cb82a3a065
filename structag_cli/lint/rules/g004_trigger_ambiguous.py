"""G004: a tag begins with two of the triggers."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import begin_of, tag_nodes


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for node in tag_nodes(subject, "triggered_tags"):
        for index, tag in enumerate(node.tags()):
            matching = [t for t in node.texts("triggers") if (begin_of(tag) or "").startswith(t)]
            if len(matching) > 1:
                yield Found(
                    f"{node.pointer}/tags/{index}/begin",
                    f"the tag begins with several triggers: {matching[:4]!r}",
                )


RULE = Rule(
    code="G004",
    name="trigger-ambiguous",
    severity=Severity.ERROR,
    summary="A tag begins with two of the triggers.",
    why="xgrammar refuses a tag that matches several triggers.",
    mend="keep the shorter trigger alone",
    check=check,
    bad={
        "type": "structural_tag",
        "format": {
            "type": "triggered_tags",
            "triggers": ["<f", "<f>"],
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
