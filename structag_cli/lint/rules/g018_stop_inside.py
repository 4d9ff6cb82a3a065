"""G018: a stop token's text stands where the output must go on."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.stops import stop_texts
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import tag_root
from structag_cli.lint.tag_shape import texts


def check(subject: Subject) -> Iterator[Found]:
    """Each fixed text that holds the text of a stop token where the output cannot end."""
    root, pointer = tag_root(subject)
    stops = stop_texts(subject.settings.tokenizer)
    sure = subject.settings.tokenizer is not None
    for place, text, last in texts(root, pointer):
        for stop in stops:
            held = text.removesuffix(stop) if last else text
            if stop in held:
                whose = "this tokenizer's stop token" if sure else "a stop token of many models"
                yield Found(
                    place,
                    f"{text[:60]!r} holds {stop!r}, {whose}, and the output must go on after it: "
                    "the token is masked here",
                )


RULE = Rule(
    code="G018",
    name="stop-inside",
    severity=Severity.ERROR,
    summary="The text of a stop token stands where the output must go on.",
    why=(
        "xgrammar 0.2.9 allows a stop token only where the output may end with it: there a "
        "tag may end with `<|im_end|>`, and the output ends, too. Anywhere else the token is "
        "masked, so its text would have to be spelled by ordinary tokens, which models do not"
        " do; where the tag names it as a token, nothing at all is allowed. Without "
        "`--tokenizer` the well-known stop tokens are looked for."
    ),
    mend="take it out: the engine ends the output by itself",
    check=check,
    bad={
        "type": "structural_tag",
        "format": {
            "type": "sequence",
            "elements": [
                {
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
                    "end": "<|im_end|>",
                },
                {"type": "const_string", "value": "<f>"},
            ],
        },
    },
    good={
        "type": "structural_tag",
        "format": {
            "type": "sequence",
            "elements": [
                {"type": "const_string", "value": "<f>"},
                {
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
                    "end": "<|im_end|>",
                },
            ],
        },
    },
    source="xgrammar 0.2.9, measured",
)
