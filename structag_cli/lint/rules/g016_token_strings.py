"""G016: strings that must each be one token of the model's vocabulary."""

from collections.abc import Iterator

from structag_cli.engine.text import token_strings
from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    if subject.tag is None:
        return
    named = sorted(set(token_strings(subject.tag)))
    if named:
        yield Found(subject.pointer, f"must each be one token: {', '.join(map(repr, named[:8]))}")


RULE = Rule(
    code="G016",
    name="token-strings",
    severity=Severity.INFO,
    summary="Strings that must each be one token of the model's vocabulary.",
    why=(
        "A tag that names tokens by text compiles only where each text is exactly one "
        "token; xgrammar refuses it without a tokenizer, and engines then fall back or "
        "fail."
    ),
    mend="check them with `structag mask --tokenizer`, or exclude them as strings",
    check=check,
    bad={
        "type": "structural_tag",
        "format": {"type": "any_tokens", "exclude_tokens": ["<tool_call>"]},
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
