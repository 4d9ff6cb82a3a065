"""Slips in a structural tag for which xgrammar refuses it, and that have one reading alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from structag_cli.emit.anatomy import NODES, holds
from structag_cli.emit.refusals import WORDS, refusals
from structag_cli.lint.fixes.edits import Edit, Replace
from structag_cli.lint.fixes.nearest import same_but_for_case, sole
from structag_cli.lint.one_reading import quoted_count, quoted_switch
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import tag_nodes
from structag_cli.place import escape_pointer


def node_slips(subject: Subject) -> dict[str, tuple[Edit, ...]]:
    """The mends, each by the pointer at which the fault is reported."""
    return {
        pointer: (edit,)
        for node in tag_nodes(subject)
        for pointer, edit in _of_node(node.value, node.kind, node.pointer)
    }


def _of_node(node: Mapping[str, Any], kind: str, pointer: str) -> Iterator[tuple[str, Edit]]:
    if kind and kind not in NODES:
        meant = sole(kind, NODES)
        if meant is not None and _complete(node, meant):
            yield pointer, Replace(f"{pointer}/type", meant)
        return
    for name, field in NODES.get(kind, {}).items():
        value = node.get(name)
        here = f"{pointer}/{escape_pointer(name)}"
        if not isinstance(value, str):
            continue
        if field.kind == "flag" and (switch := quoted_switch(value)) is not None:
            yield here, Replace(here, switch)
        elif field.kind == "count" and (count := quoted_count(value)) is not None:
            yield here, Replace(here, count)
        elif name in WORDS and value not in WORDS[name]:
            word = same_but_for_case(value, WORDS[name])
            if word is not None:
                yield here, Replace(here, word)


def _complete(node: Mapping[str, Any], kind: str) -> bool:
    """Whether a node is one of a kind in all but its name: every field there, and no other."""
    fields = NODES[kind]
    if any(field.required and name not in node for name, field in fields.items()):
        return False
    known = all(
        name == "type" or (name in fields and holds(fields[name].kind, value))
        for name, value in node.items()
    )
    return known and not any(refusals({**node, "type": kind}))
