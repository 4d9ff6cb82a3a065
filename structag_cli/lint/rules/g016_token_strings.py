"""G016: strings that must each be one token of the model's vocabulary."""

from collections.abc import Iterator

from structag_cli.engine.text import placed_token_strings
from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    if subject.tag is None:
        return
    named: dict[str, str] = {}
    for text, pointer in placed_token_strings(subject.tag, subject.pointer):
        named.setdefault(text, pointer)
    if subject.settings.tokenizer is not None:
        yield from _counted(subject, named, subject.settings.tokenizer)
    elif named:
        shown = ", ".join(map(repr, list(named)[:8]))
        yield Found(next(iter(named.values())), f"must each be one token: {shown}")


def _counted(subject: Subject, named: dict[str, str], tokenizer: str) -> Iterator[Found]:
    """Those that are not exactly one entry of the vocabulary, as xgrammar looks them up."""
    from structag_cli.lint.stops import opened_tokenizer

    opened = opened_tokenizer(tokenizer)
    pieces = set(opened.pieces)
    for text, pointer in named.items():
        if text.encode() not in pieces:
            count = len(opened.encode(text))
            message = f"{text!r} is no token of {tokenizer}: it is {count} tokens there"
            yield Found(pointer, message, severity=Severity.ERROR)


RULE = Rule(
    code="G016",
    name="token-strings",
    severity=Severity.INFO,
    summary="Strings that must each be one token of the model's vocabulary.",
    why=(
        "A tag that names tokens by text compiles only where each text is exactly one "
        "token; xgrammar refuses it without a tokenizer, and engines then fall back or "
        "fail. With `--tokenizer` the texts are looked up, and those that are no token are "
        "errors."
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
