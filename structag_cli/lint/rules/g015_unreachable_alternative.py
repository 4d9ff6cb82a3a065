"""G015: an alternative of `or` can never be told from an earlier one."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import tag_nodes


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for node in tag_nodes(subject, "or"):
        elements = node.value.get("elements")
        listed = elements if isinstance(elements, list) else []
        for index, element in enumerate(listed[:200]):
            if element in listed[:index]:
                yield Found(
                    f"{node.pointer}/elements/{index}",
                    f"alternative {index + 1} is the same as an earlier one",
                )


RULE = Rule(
    code="G015",
    name="unreachable-alternative",
    severity=Severity.WARNING,
    summary="An alternative of `or` can never be told from an earlier one.",
    why="Two equal alternatives are one: the second does nothing.",
    mend="take it out",
    check=check,
    bad={
        "type": "structural_tag",
        "format": {
            "type": "or",
            "elements": [
                {"type": "const_string", "value": "a"},
                {"type": "const_string", "value": "a"},
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
