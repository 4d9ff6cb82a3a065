"""G009: the output must begin with a call: no text before it."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import tag_nodes


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for node in tag_nodes(subject, "triggered_tags"):
        if node.value.get("at_least_one") is True and not node.parents:
            yield Found(
                f"{node.pointer}/at_least_one", "a call must come first: forbids any text before it"
            )


RULE = Rule(
    code="G009",
    name="no-free-text",
    severity=Severity.INFO,
    summary="The output must begin with a call: no text before it.",
    why=(
        "`at_least_one` of triggered tags allows no text before the first call. A model "
        "that reasons first cannot think, and one that explains itself cannot."
    ),
    mend="let the reasoning come first, in a tag that ends with its closing marker",
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
            "at_least_one": True,
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
