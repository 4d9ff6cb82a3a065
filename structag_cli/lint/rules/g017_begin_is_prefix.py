"""G017: what one tag's content begins with may be another tag's begin."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import begin_of, tag_nodes
from structag_cli.lint.tag_shape import may_begin


def check(subject: Subject) -> Iterator[Found]:
    """Each tag whose begin goes on where another's content may."""
    for node in tag_nodes(subject, "triggered_tags", "tags_with_separator"):
        tags = node.tags()
        begins = sorted((begin, i) for i, tag in enumerate(tags) if (begin := begin_of(tag)))
        for position, (short, index) in enumerate(begins):
            for long, other in begins[position + 1 : position + 50]:
                rest = long.removeprefix(short)
                if not long.startswith(short):
                    break
                if rest and may_begin(tags[index].get("content"), rest):
                    yield Found(
                        f"{node.pointer}/tags/{other}/begin",
                        f"{long[:80]!r} may also be read as {short[:80]!r} with the content "
                        f"{rest[:40]!r}...: either tag may follow",
                    )


RULE = Rule(
    code="G017",
    name="begin-is-prefix",
    severity=Severity.WARNING,
    summary="A tag's begin can be read as another tag with content.",
    why=(
        "xgrammar follows both readings. Where the begin of one tag begins another and its "
        "content may hold the rest, the longer begin no longer binds: the output may go on as"
        " the content of the shorter, and a parser picks one of them. Where the content "
        "cannot begin like that, as with JSON after a name, there is no such doubt and no "
        "finding."
    ),
    mend="close the name in the begin, so that neither begins the other",
    check=check,
    bad={
        "type": "structural_tag",
        "format": {
            "type": "triggered_tags",
            "triggers": ["<f"],
            "tags": [
                {"type": "tag", "begin": "<f", "content": {"type": "any_text"}, "end": "</f>"},
                {
                    "type": "tag",
                    "begin": "<f2>",
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
            ],
        },
    },
    good={
        "type": "structural_tag",
        "format": {
            "type": "triggered_tags",
            "triggers": ["<f"],
            "tags": [
                {"type": "tag", "begin": "<f>", "content": {"type": "any_text"}, "end": "</f>"},
                {
                    "type": "tag",
                    "begin": "<f2>",
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
            ],
        },
    },
    source="xgrammar 0.2.9, measured",
)
