"""G012: free content with an empty end: nothing but the token limit stops it."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import ends_of, tag_nodes


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for node in tag_nodes(subject, "tag"):
        content = node.value.get("content")
        if not isinstance(content, dict) or content.get("type") != "any_text":
            continue
        bounded = {"max_tokens", "max_chars"} & set(content)
        if not bounded and "" in ends_of(node.value) and node.parents:
            yield Found(f"{node.pointer}/end", "free text without an end")


RULE = Rule(
    code="G012",
    name="endless-content",
    severity=Severity.WARNING,
    summary="Free content with an empty end: nothing but the token limit stops it.",
    why=(
        "A tag of any text that ends with nothing runs to the end of the output; whatever "
        "should come after it never does."
    ),
    mend="give it an end",
    check=check,
    bad={
        "type": "structural_tag",
        "format": {
            "type": "sequence",
            "elements": [
                {"type": "tag", "begin": "<t>", "content": {"type": "any_text"}, "end": ""},
                {"type": "const_string", "value": "x"},
            ],
        },
    },
    good={"type": "structural_tag", "format": {"type": "const_string", "value": "x"}},
)
