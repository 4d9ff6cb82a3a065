"""G003: a trigger begins no tag, or a tag begins with no trigger."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import begin_of, tag_nodes


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for node in tag_nodes(subject, "triggered_tags"):
        triggers = node.texts("triggers")
        begins = [begin_of(tag) for tag in node.tags()]
        for index, trigger in enumerate(triggers):
            if not any(begin is None or begin.startswith(trigger) for begin in begins):
                yield Found(
                    f"{node.pointer}/triggers/{index}", f"trigger {trigger[:80]!r} begins no tag"
                )
        for index, begin in enumerate(begins):
            if begin is not None and not any(begin.startswith(t) for t in triggers):
                yield Found(
                    f"{node.pointer}/tags/{index}/begin",
                    f"no trigger reaches the tag that begins {begin[:80]!r}",
                )


RULE = Rule(
    code="G003",
    name="trigger-without-tag",
    severity=Severity.ERROR,
    summary="A trigger begins no tag, or a tag begins with no trigger.",
    why=(
        "After the trigger the output must be one of the tags. A trigger that begins none "
        "is refused by xgrammar, and so is a tag that no trigger reaches."
    ),
    mend="make the trigger a prefix of each begin",
    check=check,
    bad={
        "type": "structural_tag",
        "format": {
            "type": "triggered_tags",
            "triggers": ["<g>"],
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
