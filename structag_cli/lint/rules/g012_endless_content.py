"""G012: free content with an empty end: nothing but the token limit stops it."""

from collections.abc import Iterator, Mapping
from typing import Any

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import TagNode, ends_of, tag_nodes
from structag_cli.lint.tag_shape import listed, unlimited


def check(subject: Subject) -> Iterator[Found]:
    """Each tag whose content nothing ends."""
    for node in tag_nodes(subject, "tag"):
        ends, content = ends_of(node.value), node.value.get("content")
        if "" not in ends:
            continue
        if unlimited(content):
            named = [end for end in ends if end]
            yield _anywhere(node, named[0]) if named else _refused(node)
        elif isinstance(content, dict) and content.get("type") == "any_text" and _followed(node):
            yield Found(
                f"{node.pointer}/end",
                "free text without an end: it may take in whatever should come after it",
            )


def _refused(node: TagNode) -> Found:
    message = "unlimited content and no end but the empty one: xgrammar refuses the tag"
    return Found(f"{node.pointer}/end", message, severity=Severity.ERROR)


def _anywhere(node: TagNode, end: str) -> Found:
    message = (
        f"one of the ends is empty, so the content may stop anywhere: {end[:60]!r} binds nothing"
    )
    return Found(f"{node.pointer}/end", message)


def _followed(node: TagNode) -> bool:
    """Whether something stands behind this tag."""
    inner: Mapping[str, Any] = node.value
    for parent in reversed(node.parents):
        elements = listed(parent, "elements")
        if parent.get("type") == "sequence" and elements and elements[-1] is not inner:
            return True
        inner = parent
    return False


RULE = Rule(
    code="G012",
    name="endless-content",
    severity=Severity.WARNING,
    summary="Free content with an empty end: nothing but the token limit stops it.",
    why=(
        "xgrammar refuses a tag whose content is unlimited and whose only end is empty. With "
        "other ends beside the empty one it compiles, and the content may stop anywhere. Free "
        "text that excludes something compiles, too, and takes in what should come after it."
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
