"""G020: after a complete call the output cannot end."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import tag_root
from structag_cli.lint.tag_shape import fewest_calls


def check(subject: Subject) -> Iterator[Found]:
    """One finding a tag."""
    root, pointer = tag_root(subject)
    count = fewest_calls(root)
    if count > 1:
        yield Found(
            pointer,
            f"every output has {count} calls at least: after the first neither text nor the end "
            "is allowed, only the next call",
        )


RULE = Rule(
    code="G020",
    name="second-call-forced",
    severity=Severity.WARNING,
    summary="After a complete call neither the end nor text is allowed.",
    why=(
        "A sequence of calls, or a repetition of two and more, makes the model call again "
        "when it is done. It mostly repeats the same call, and tools run twice."
    ),
    mend=("let one call be enough: triggered tags with at_least_one, or a repetition from 1"),
    check=check,
    bad={
        "type": "structural_tag",
        "format": {
            "type": "repeat",
            "min": 2,
            "max": 4,
            "content": {
                "type": "tag",
                "begin": "<f>",
                "content": {
                    "type": "json_schema",
                    "json_schema": {
                        "type": "object",
                        "properties": {"a": {"type": "string"}},
                        "required": ["a"],
                    },
                },
                "end": "</f>",
            },
        },
    },
    good={
        "type": "structural_tag",
        "format": {
            "type": "repeat",
            "min": 1,
            "max": 4,
            "content": {
                "type": "tag",
                "begin": "<f>",
                "content": {
                    "type": "json_schema",
                    "json_schema": {
                        "type": "object",
                        "properties": {"a": {"type": "string"}},
                        "required": ["a"],
                    },
                },
                "end": "</f>",
            },
        },
    },
    source="xgrammar 0.2.9, measured",
)
