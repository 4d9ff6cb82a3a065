"""What releases of xgrammar do with the features of a tag."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from structag_cli.errors import UsageError
from structag_cli.findings import Found
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import TagNode, ends_of, tag_nodes

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


@cache
def _releases() -> dict[str, Any]:
    text = files("structag_cli.lint").joinpath("xgrammar_releases.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def dynamo_release(target: str) -> tuple[int, int] | None:
    """Major and minor release of ``dynamo==X``; ``None`` for targets of other engines."""
    match = re.fullmatch(r"(?:ai-)?dynamo==v?(\d+)\.(\d+)[\w.]*", target.strip())
    return None if match is None else (int(match.group(1)), int(match.group(2)))


def parse_target(target: str) -> str:
    """The xgrammar release of ``xgrammar==X``.

    Raises:
        UsageError: no such engine or release is known.
    """
    match = re.fullmatch(r"(xgrammar)==([0-9][\w.]*)", target.strip())
    if match is None:
        raise UsageError(f"unknown target {target!r}", mend="--target xgrammar==0.1.30")
    known = _releases()["versions"]
    wanted = match.group(2)
    below = [release for release in known if _key(release) <= _key(wanted)]
    if not below:
        raise UsageError(
            f"nothing is known of xgrammar {wanted}", mend=f"from {known[0]} to {known[-1]}"
        )
    return str(below[-1])


def _key(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", release))


def status(feature: str, release: str) -> str:
    """What a release does with a feature: ``works``, ``rejected``, ``accepted-but-wrong``."""
    word = "works"
    for since, state in _releases()["features"].get(feature, ()):
        if _key(since) <= _key(release):
            word = state
    return word


def unsupported(subject: Subject, state: str) -> Iterator[Found]:
    """The features of a tag with which the target release does something else."""
    target = subject.settings.target
    if target is None or subject.tag is None or dynamo_release(target) is not None:
        return
    release = parse_target(target)
    word = "refuses" if state == "rejected" else "silently ignores"
    seen = set()
    for node in tag_nodes(subject):
        for feature, field in _features(node):
            if feature not in seen and status(feature, release) == state:
                seen.add(feature)
                pointer = f"{node.pointer}/{field}" if field else node.pointer
                since = _works_since(feature)
                mend = f"it works from xgrammar {since} on" if since else ""
                yield Found(pointer, f"xgrammar {release} {word} {feature}", mend)


def _works_since(feature: str) -> str:
    runs = _releases()["features"][feature]
    return str(runs[-1][0]) if runs[-1][1] == "works" else ""


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
