"""The nodes of a structural tag, with the places where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from structag_cli.emit.anatomy import NODES, _below, _legacy_pointer, is_legacy, root_node
from structag_cli.lint.subject import Subject
from structag_cli.place import escape_pointer


@dataclass(frozen=True, slots=True)
class TagNode:
    """A node, its pointer in the document, and the nodes that it stands in, outermost first."""

    value: Mapping[str, Any]
    pointer: str
    parents: tuple[Mapping[str, Any], ...] = ()

    @property
    def kind(self) -> str:
        """The node's ``type``; empty where it has none."""
        kind = self.value.get("type")
        return kind if isinstance(kind, str) else ""

    def texts(self, field: str) -> list[str]:
        """The strings of a field that holds a list of them."""
        value = self.value.get(field)
        return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []

    def tags(self) -> list[Mapping[str, Any]]:
        """The tags of a node that holds some."""
        value = self.value.get("tags")
        return [v for v in value if isinstance(v, Mapping)] if isinstance(value, list) else []


def tag_nodes(subject: Subject, *kinds: str) -> Iterator[TagNode]:
    """The nodes of the subject's tag, outermost first; of some kinds, or all."""
    if subject.tag is None:
        return
    root, start = root_node(subject.tag)
    legacy = is_legacy(subject.tag)
    pending: list[tuple[Any, str, tuple[Mapping[str, Any], ...]]] = [(root, start, ())]
    while pending:
        value, pointer, parents = pending.pop()
        if not isinstance(value, Mapping) or len(parents) > 200:
            continue
        shown = _legacy_pointer(pointer) if legacy else pointer
        node = TagNode(value, subject.pointer + shown, parents)
        if not kinds or node.kind in kinds:
            yield node
        pending += [(v, p, (*parents, value)) for v, p in reversed(_children(node, pointer))]


def tag_root(subject: Subject) -> tuple[Any, str]:
    """The root of the subject's tag and its pointer; nothing for the older form."""
    if subject.tag is None or is_legacy(subject.tag):
        return None, ""
    root, pointer = root_node(subject.tag)
    return root, subject.pointer + pointer


def _children(node: TagNode, pointer: str) -> list[tuple[Any, str]]:
    found: list[tuple[Any, str]] = []
    for name, field in NODES.get(node.kind, {}).items():
        value = node.value.get(name)
        here = f"{pointer}/{escape_pointer(name)}"
        if field.kind == "rules" and isinstance(value, list):
            found += [
                (rule[1], f"{here}/{i}/1")
                for i, rule in enumerate(value)
                if isinstance(rule, list) and len(rule) == 2
            ]
        elif value is not None and field.kind in ("node", "nodes", "begin", "end"):
            if field.kind == "nodes" and not isinstance(value, list):
                continue
            found += _below(field.kind, value, here)
    return found


def begin_of(tag: Mapping[str, Any]) -> str | None:
    """A tag's begin, ``None`` where it is a token."""
    begin = tag.get("begin")
    return begin if isinstance(begin, str) else None


def ends_of(tag: Mapping[str, Any]) -> list[str]:
    """A tag's ends, as texts."""
    end = tag.get("end")
    listed = end if isinstance(end, list) else [end]
    return [each for each in listed if isinstance(each, str)]


def common_prefix(texts: list[str]) -> str:
    """The text with which all of some texts begin."""
    if not texts:
        return ""
    low, high = min(texts), max(texts)
    for index, char in enumerate(low):
        if char != high[index : index + 1]:
            return low[:index]
    return low


def dispatched(node: TagNode) -> list[str]:
    """The texts that a ``dispatch`` waits for."""
    rules = node.value.get("rules")
    pairs = (
        [r for r in rules if isinstance(r, list) and len(r) == 2] if isinstance(rules, list) else []
    )
    return [pair[0] for pair in pairs if isinstance(pair[0], str)]
