"""What releases of xgrammar do with the features of a tag."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from structag_cli.findings import Found
from structag_cli.lint.nodes import subschemas
from structag_cli.lint.releases import status, works_since
from structag_cli.lint.requests import answer_to, request_of
from structag_cli.lint.schemas import every_schema
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import TagNode, ends_of, tag_nodes
from structag_cli.lint.targets import dynamo_release, xgrammar_target
from structag_cli.lookarounds import lookarounds
from structag_cli.place import escape_pointer
from structag_cli.request import ToolChoice

_LOOKAHEAD = "schema:pattern lookahead"

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
    if target is None or dynamo_release(target) is not None:
        return
    wanted = xgrammar_target(target)
    word = "refuses" if state == "rejected" else "silently ignores"
    seen = set()
    for feature, pointer, whose in (*_in_the_tag(subject), *_in_schemas(subject)):
        if feature in seen or feature.partition("(")[0] in seen:
            continue  # a style that is ignored has no forms of its own
        if status(feature, wanted.release) == state:
            seen.add(feature)
            message = f"{wanted.words} {word} {feature}{whose}"
            yield Found(pointer, message, _mend(feature, wanted.engine))


Feature = tuple[str, str, str]
"""A feature, the pointer of what asks for it, and words for a tag that is not in the file."""


def _in_the_tag(subject: Subject) -> Iterator[Feature]:
    """What the tag uses: the document itself, or the one that its tools get from the parser."""
    if subject.tag is not None:
        for node in tag_nodes(subject):
            for feature, field in _features(node):
                yield feature, f"{node.pointer}/{field}" if field else node.pointer, ""
        return
    tag = _sent(subject)
    if tag is None:
        return
    whose = f", which the tag of {subject.settings.parser or 'this grammar'} has"
    for node in tag_nodes(replace(subject, tag=tag)):
        for feature, _ in _features(node):
            yield feature, subject.pointer, whose


def _sent(subject: Subject) -> dict[str, Any] | None:
    """The tag that the parser linted for gives a request; for a list of tools, a forced call."""
    request, settings = request_of(subject), subject.settings
    if not subject.request_or_tools or request is None or settings.grammar is None:
        return None
    if subject.kind == "tools":
        request = replace(request, choice=ToolChoice("required"))
    tag = answer_to(request, settings).tag
    return None if tag is None else tag.to_json()


def _in_schemas(subject: Subject) -> Iterator[Feature]:
    """What the schemas use, wherever they stand."""
    for tool, schema in every_schema(subject):
        for at in _looking_ahead(schema):
            yield _LOOKAHEAD, f"{tool.schema_pointer}{at}", ""


def _looking_ahead(schema: object) -> Iterator[str]:
    """The pointers of the patterns of a schema that look ahead."""
    for node, at in subschemas(schema):
        pattern, named = node.get("pattern"), node.get("patternProperties")
        if isinstance(pattern, str) and lookarounds(pattern).ahead:
            yield f"{at}/pattern"
        for key in named if isinstance(named, Mapping) else ():
            if lookarounds(str(key)).ahead:
                yield f"{at}/patternProperties/{escape_pointer(str(key))}"


def _mend(feature: str, engine: str) -> str:
    """From which release on a feature works, in the target's own releases too."""
    since = works_since(feature)
    if since is None:
        return ""
    if feature == _LOOKAHEAD:
        return f"write it without: from xgrammar {since} on it compiles, and is ignored"
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
        pattern = value.get("pattern")
        if kind == "regex" and isinstance(pattern, str) and lookarounds(pattern).ahead:
            yield "regex:lookahead", "pattern"
    elif kind == "json_schema":
        yield "json_schema", "type"
        style = value.get("style", "json")
        if style != "json":
            whole = value.get("json_schema") is True
            yield f"json_schema{'=true' if whole else ''}:{style}", "style"
            yield f"json_schema:{style}", "style"
            if style == "qwen_xml":
                yield "json_schema:qwen_xml(newlines)", "style"
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
