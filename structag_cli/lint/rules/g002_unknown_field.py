"""G002: a node has a field that xgrammar does not know."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from structag_cli.emit.anatomy import NODES, Field, holds, is_legacy
from structag_cli.emit.refusals import refusals
from structag_cli.findings import Found, Severity
from structag_cli.lint.fixes.edits import Rename
from structag_cli.lint.fixes.nearest import sole
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import tag_nodes
from structag_cli.place import escape_pointer


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    if subject.tag is not None:
        yield from _outer(subject.tag, subject.pointer)
    for node in tag_nodes(subject):
        known = NODES.get(node.kind)
        if known is None or node.value is subject.tag:
            continue
        for name in node.value:
            if name != "type" and name not in known and not _legacy(node.value, name):
                near = get_close_matches(str(name), known, n=1)
                pointer = f"{node.pointer}/{escape_pointer(str(name))}"
                meant = _meant(node.value, name, known)
                yield Found(
                    pointer,
                    f"{node.kind} has no field {str(name)[:60]!r}: it is ignored",
                    f"did you mean {near[0]!r}?" if near else "",
                    fix=() if meant is None else (Rename(pointer, meant),),
                )


def _meant(node: Mapping[str, Any], name: str, known: Mapping[str, Field]) -> str | None:
    """The field that a misspelt one must be: no other is near, it is not there, and would fit."""
    found = sole(name, known)
    if found is None or found in node or not holds(known[found].kind, node[name]):
        return None
    if any(refusals({**node, found: node[name]})):
        return None
    rivals = [each for each in node if each not in known and sole(each, known) == found]
    return found if rivals == [name] else None


def _outer(tag: Mapping[str, Any], pointer: str) -> Iterator[Found]:
    """Fields beside ``format``, or beside ``structures`` in the older form."""
    known = ("type", "structures", "triggers") if is_legacy(tag) else ("type", "format")
    for name in tag:
        if name not in known:
            near = get_close_matches(str(name), known, n=1)
            yield Found(
                f"{pointer}/{escape_pointer(str(name))}",
                f"{str(name)[:60]!r} beside {known[1]!r} is ignored",
                f"did you mean {near[0]!r}?"
                if near
                else "move it into the node that it is meant for",
            )


def _legacy(node: Mapping[str, Any], name: str) -> bool:
    """Whether this field comes from the older form, which has its own."""
    return node.get("type") == "tag" and name == "schema"


RULE = Rule(
    code="G002",
    name="unknown-field",
    severity=Severity.ERROR,
    summary="A node has a field that xgrammar does not know.",
    why=(
        "xgrammar ignores unknown fields without a word, so a misspelt `excludes` or "
        "`stop_after_first` does nothing."
    ),
    mend="correct the spelling, or take it out",
    fix=(
        "A misspelt field is renamed: where one known field is at most two letters away and no "
        "other is near, where the node does not have that field, and where the value is one that "
        "it takes."
    ),
    check=check,
    bad={
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
            "stop_after_frist": True,
        },
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
