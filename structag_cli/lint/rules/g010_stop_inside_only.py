"""G010: `stop_after_first` stands on the inner layer alone."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import tag_nodes


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for node in tag_nodes(subject, "triggered_tags"):
        if node.value.get("stop_after_first") is True:
            continue
        for index, tag in enumerate(node.tags()):
            content = tag.get("content")
            if (
                isinstance(content, dict)
                and content.get("type") == "tags_with_separator"
                and content.get("stop_after_first") is True
            ):
                yield Found(
                    f"{node.pointer}/tags/{index}/content/stop_after_first",
                    "one call a section, but a second section may follow",
                )


RULE = Rule(
    code="G010",
    name="stop-inside-only",
    severity=Severity.WARNING,
    summary="`stop_after_first` stands on the inner layer alone.",
    why=(
        "The inner list then holds one call, but the outer layer may open a second section,"
        " with a second call."
    ),
    mend="set it on both layers",
    check=check,
    bad={
        "type": "structural_tag",
        "format": {
            "type": "triggered_tags",
            "triggers": ["<b>"],
            "tags": [
                {
                    "type": "tag",
                    "begin": "<b>",
                    "content": {
                        "type": "tags_with_separator",
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
                        "separator": ",",
                        "stop_after_first": True,
                    },
                    "end": "</b>",
                }
            ],
        },
    },
    good={
        "type": "structural_tag",
        "format": {
            "type": "triggered_tags",
            "triggers": ["<b>"],
            "tags": [
                {
                    "type": "tag",
                    "begin": "<b>",
                    "content": {
                        "type": "tags_with_separator",
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
                        "separator": ",",
                        "stop_after_first": True,
                    },
                    "end": "</b>",
                }
            ],
            "stop_after_first": True,
        },
    },
)
