"""G011: `excludes` forbids the trigger, or all text."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import TagNode, dispatched, tag_nodes


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for node in tag_nodes(subject):
        for index, banned in enumerate(node.texts("excludes")):
            message = _empty(node) if banned == "" else _hit(node, banned)
            if message:
                yield Found(f"{node.pointer}/excludes/{index}", message)


def _empty(node: TagNode) -> str:
    if node.kind == "any_text":
        return "an empty exclude: only the empty text is left"
    return f"an empty exclude: xgrammar refuses it in {node.kind}"


def _hit(node: TagNode, banned: str) -> str:
    """What an excluded text makes impossible; it holds outside of the tags alone."""
    triggers = [*node.texts("triggers"), *dispatched(node)]
    lost = [trigger for trigger in triggers if banned in trigger]
    if not lost:
        return ""
    first = node.value.get("at_least_one") is True
    what = "no call after the first is possible" if first else "no call is possible"
    if len(lost) < len(triggers):
        what = f"no call by {lost[0][:60]!r} is possible"
    return f"excludes {banned[:60]!r}, a part of the trigger {lost[0][:60]!r}: {what}"


RULE = Rule(
    code="G011",
    name="excludes-hit-begin",
    severity=Severity.ERROR,
    summary="`excludes` forbids the trigger, or all text.",
    why=(
        "Free text that may not hold a part of the trigger can never reach it: no call is "
        "possible, and xgrammar compiles it without a word. (With `at_least_one` the first call "
        "needs no text before it, and only the later ones are lost.) An empty exclude leaves "
        "the empty text alone."
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
