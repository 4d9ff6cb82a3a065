"""What releases of xgrammar do with the features of a tag."""

from __future__ import annotations

from collections.abc import Iterator

from structag_cli.findings import Found
from structag_cli.lint.releases import status, works_since
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import TagNode, ends_of, tag_nodes
from structag_cli.lint.targets import dynamo_release, xgrammar_target

_SINGLE = (
    "const_string",
    "qwen_xml_parameter",
    "grammar",
    "regex",
    "sequence",
    "or",
    "optional",
    "plus",
    "star",
    "repeat",
    "token",
    "exclude_token",
    "dispatch",
    "token_dispatch",
    "token_triggered_tags",
)


def unsupported(subject: Subject, state: str) -> Iterator[Found]:
    """The features of a tag with which the target release does something else."""
    target = subject.settings.target
    if target is None or subject.tag is None or dynamo_release(target) is not None:
        return
    wanted = xgrammar_target(target)
    word = "refuses" if state == "rejected" else "silently ignores"
    seen = set()
    for node in tag_nodes(subject):
        for feature, field in _features(node):
            if feature not in seen and status(feature, wanted.release) == state:
                seen.add(feature)
                pointer = f"{node.pointer}/{field}" if field else node.pointer
                mend = _mend(feature, wanted.engine)
                yield Found(pointer, f"{wanted.words} {word} {feature}", mend)


def _mend(feature: str, engine: str) -> str:
    """From which release on a feature works, in the target's own releases too."""
    since = works_since(feature)
    if since is None:
        return ""
    also = "" if engine == "xgrammar" else _brought_by(engine, since)
    return f"it works from xgrammar {since}{also} on"


def _brought_by(engine: str, xgrammar: str) -> str:
    from structag_cli.lint.engine_pins import first_with

    first = first_with(engine, xgrammar)
    return "" if first is None else f" ({engine} {first})"


def _features(node: TagNode) -> Iterator[tuple[str, str]]:
    """The features that a node uses, each with the field that asks for it."""
    value, kind = node.value, node.kind
    if kind in _SINGLE:
        yield kind, "type"
    elif kind == "json_schema":
        yield "json_schema", "type"
        style = value.get("style", "json")
        if style != "json":
            whole = value.get("json_schema") is True
            yield f"json_schema{'=true' if whole else ''}:{style}", "style"
            yield f"json_schema:{style}", "style"
        for field in ("any_order", "max_whitespace_cnt"):
            if value.get(field) not in (None, False):
                yield f"json_schema:{field}", field
    elif kind in ("any_text", "any_tokens", "triggered_tags"):
        yield kind, "type"
        for field in ("excludes", "max_chars", "max_tokens", "stop_after_first"):
            if value.get(field):
                yield f"{kind}:{field}", field
    elif kind == "tags_with_separator":
        yield kind, "type"
        if value.get("separator") == "":
            yield "tags_with_separator:empty sep", "separator"
    elif kind == "tag":
        yield from _of_tag(node)


def _of_tag(node: TagNode) -> Iterator[tuple[str, str]]:
    value = node.value
    yield "tag", "type"
    if isinstance(value.get("end"), list):
        yield "tag:end list", "end"
    for field in ("begin", "end"):
        if isinstance(value.get(field), dict):
            yield "tag:token begin/end", field
    content = value.get("content")
    empty = value.get("begin") == "" and ends_of(value) == [""]
    if empty and isinstance(content, dict) and content.get("type") == "any_tokens":
        yield "dynamo ban tag (any_tokens in empty tag)", ""
