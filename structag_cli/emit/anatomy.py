"""The anatomy of structural tags: node types, their fields, and what is wrong with a tag.

Fields and defaults are those of xgrammar 0.2.9 (``xgrammar/structural_tag.py``), which
is not imported: showing a tag takes no engine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Literal

from structag_cli.emit.refusals import refusals
from structag_cli.place import escape_pointer

Kind = Literal[
    "text",
    "texts",
    "flag",
    "count",
    "token",
    "tokens",
    "schema",
    "node",
    "nodes",
    "begin",
    "end",
    "rules",
]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a node: what it holds, and whether it may be left out."""

    kind: Kind
    required: bool = True


_TEXTS = Field("texts", required=False)
_FLAG = Field("flag", required=False)
_COUNT = Field("count", required=False)
_TOKENS = Field("tokens", required=False)
_TEXT = Field("text", required=False)

NODES: dict[str, dict[str, Field]] = {
    "const_string": {"value": Field("text")},
    "json_schema": {
        "json_schema": Field("schema"),
        "style": _TEXT,
        "any_order": _FLAG,
        "max_whitespace_cnt": _COUNT,
        "excludes": _TEXTS,
    },
    "qwen_xml_parameter": {"json_schema": Field("schema")},
    "regex": {"pattern": Field("text")},
    "grammar": {"grammar": Field("text"), "syntax": _TEXT},
    "any_text": {"excludes": _TEXTS, "max_tokens": _COUNT, "max_chars": _COUNT},
    "any_tokens": {"exclude_tokens": _TOKENS, "max_tokens": _COUNT},
    "token": {"token": Field("token")},
    "exclude_token": {"exclude_tokens": _TOKENS},
    "sequence": {"elements": Field("nodes")},
    "or": {"elements": Field("nodes")},
    "optional": {"content": Field("node")},
    "star": {"content": Field("node")},
    "plus": {"content": Field("node")},
    "repeat": {"min": Field("count"), "max": Field("count"), "content": Field("node")},
    "tag": {"begin": Field("begin"), "content": Field("node"), "end": Field("end")},
    "triggered_tags": {
        "triggers": Field("texts"),
        "tags": Field("nodes"),
        "at_least_one": _FLAG,
        "stop_after_first": _FLAG,
        "excludes": _TEXTS,
    },
    "token_triggered_tags": {
        "trigger_tokens": Field("tokens"),
        "tags": Field("nodes"),
        "exclude_tokens": _TOKENS,
        "at_least_one": _FLAG,
        "stop_after_first": _FLAG,
    },
    "tags_with_separator": {
        "tags": Field("nodes"),
        "separator": Field("text"),
        "at_least_one": _FLAG,
        "stop_after_first": _FLAG,
    },
    "dispatch": {"rules": Field("rules"), "loop": _FLAG, "excludes": _TEXTS},
    "token_dispatch": {"rules": Field("rules"), "loop": _FLAG, "exclude_tokens": _TOKENS},
}

_WORDS: dict[Kind, str] = {
    "text": "a string",
    "texts": "a list of strings",
    "flag": "true or false",
    "count": "an integer",
    "token": "a token's text or id",
    "tokens": "a list of token texts or ids",
    "schema": "a JSON Schema",
    "node": "a node",
    "nodes": "a list of nodes",
    "begin": "a string or a token node",
    "end": "a string, a list of strings or a token node",
    "rules": "a list of pairs [pattern, node]",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Something for which xgrammar refuses the tag, by the pointer inside the tag."""

    pointer: str
    message: str
    mend: str = ""


def is_legacy(tag: Mapping[str, Any]) -> bool:
    """Whether this is the older form, ``structures`` and ``triggers``."""
    return "format" not in tag and "structures" in tag


def root_node(tag: Mapping[str, Any]) -> tuple[Any, str]:
    """The root of the format tree and its pointer; the legacy form as the node it means.

    Tags that leave their ``type`` out have it here: xgrammar knows them by their fields.
    """
    if not is_legacy(tag):
        return _typed(tag.get("format")), "/format"
    structures = tag["structures"]
    if not isinstance(structures, list):
        structures = []
    node: dict[str, Any] = {
        "type": "triggered_tags",
        "triggers": tag.get("triggers"),
        "tags": [_legacy_tag(structure) for structure in structures],
    }
    for flag in ("at_least_one", "stop_after_first"):
        if flag in tag:
            node[flag] = tag[flag]
    return node, ""


def _typed(node: Any, *, tag: bool = False) -> Any:
    """A node in which every tag has its type; the node itself where they all have.

    ``tag``: it stands under ``tags`` and so is one, whatever it lacks.
    """
    if not isinstance(node, Mapping):
        return node
    if "type" not in node and (tag or node.keys() >= {"begin", "content", "end"}):
        node = {"type": "tag", **node}
    kind = node.get("type")
    changed: dict[str, Any] = {}
    for name, field in NODES.get(kind, {}).items() if isinstance(kind, str) else ():
        value = node.get(name)
        new = _typed_below(field.kind, value, tags=name == "tags")
        if new is not value:
            changed[name] = new
    return {**node, **changed} if changed else node


def _typed_below(kind: Kind, value: Any, *, tags: bool) -> Any:
    if kind == "node":
        return _typed(value)
    if kind == "nodes" and isinstance(value, list):
        return _unless_same([_typed(item, tag=tags) for item in value], value)
    if kind == "rules" and holds("rules", value):
        new = [_unless_same([rule[0], _typed(rule[1])], rule) for rule in value]
        return _unless_same(new, value)
    return value


def _unless_same(new: list[Any], old: list[Any]) -> list[Any]:
    """The new list, or the old one where the same values are in both."""
    return old if all(a is b for a, b in zip(new, old, strict=True)) else new


def modern(tag: Mapping[str, Any]) -> dict[str, Any]:
    """The tag in the ``format`` form; the legacy form is rewritten, any other left alone."""
    if not is_legacy(tag):
        return dict(tag)
    return {"type": "structural_tag", "format": root_node(tag)[0]}


def _legacy_tag(structure: Any) -> Any:
    if not isinstance(structure, Mapping):
        return structure
    content = {"type": "json_schema", "json_schema": _legacy_schema(structure.get("schema", True))}
    rest = {key: value for key, value in structure.items() if key != "schema"}
    return {"type": "tag", "content": content, **rest}


def _legacy_schema(schema: Any) -> Any:
    if not isinstance(schema, str):
        return schema
    try:
        return json.loads(schema)
    except ValueError:
        return schema


def holds(kind: Kind, value: Any) -> bool:
    """Whether a value is what the field asks for; nodes below are not looked into."""
    if kind == "texts":
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if kind == "tokens":
        return isinstance(value, list) and all(holds("token", item) for item in value)
    if kind == "nodes":
        return isinstance(value, list)
    if kind == "rules":
        return isinstance(value, list) and all(_is_rule(item) for item in value)
    if kind == "end":
        return isinstance(value, (str, Mapping)) or holds("texts", value)
    types: dict[str, tuple[type, ...]] = {
        "text": (str,),
        "flag": (bool,),
        "count": (int,),
        "token": (str, int),
        "schema": (bool, Mapping),
        "node": (Mapping,),
        "begin": (str, Mapping),
    }
    if isinstance(value, bool) and kind in ("count", "token"):
        return False
    return isinstance(value, types[kind])


def _is_rule(item: Any) -> bool:
    return isinstance(item, list) and len(item) == 2 and holds("token", item[0])


def faults(tag: Mapping[str, Any]) -> Iterator[Fault]:
    """What xgrammar would refuse, found without it: unknown types, missing and wrong fields."""
    root, pointer = root_node(tag)
    legacy = is_legacy(tag)
    if tag.get("type", "structural_tag") != "structural_tag":
        yield Fault("/type", "`type` of the tag must be 'structural_tag'")
    pending = [(root, pointer)]
    while pending:
        node, pointer = pending.pop()
        found, children = _look(node, pointer)
        for fault in found:
            yield replace(fault, pointer=_legacy_pointer(fault.pointer)) if legacy else fault
        pending += reversed(children)


def _legacy_pointer(pointer: str) -> str:
    """Where the value stands in the legacy form."""
    if pointer.startswith("/tags"):
        pointer = "/structures" + pointer[len("/tags") :]
    return pointer.replace("/content/json_schema", "/schema")


def _look(node: Any, pointer: str) -> tuple[list[Fault], list[tuple[Any, str]]]:
    """The faults of one node, and the nodes below it."""
    if not isinstance(node, Mapping):
        return [Fault(pointer, "a node must be an object with a `type`")], []
    type_name = node.get("type")
    fields = NODES.get(type_name) if isinstance(type_name, str) else None
    if fields is None:
        return [Fault(pointer, _unknown(type_name), _nearest(type_name))], []
    found: list[Fault] = []
    children: list[tuple[Any, str]] = []
    for name, field in fields.items():
        value = node.get(name)
        here = f"{pointer}/{escape_pointer(name)}"
        if value is None:
            if field.required:
                found.append(Fault(pointer, f"{type_name} without `{name}`"))
            elif name in node and not _may_be_null(name, field.kind):
                message = f"`{name}` of {type_name} is null, and must be {_WORDS[field.kind]}"
                found.append(Fault(here, message, "leave it out"))
        elif not holds(field.kind, value):
            found.append(Fault(here, f"`{name}` of {type_name} must be {_WORDS[field.kind]}"))
        else:
            children += _below(field.kind, value, here)
    found += [Fault(pointer + below, message) for below, message in refusals(node)]
    return found, children


def _may_be_null(name: str, kind: Kind) -> bool:
    """Whether null stands for an optional field that is left out (measured with 0.2.9)."""
    return kind == "count" or name == "style"


def _below(kind: Kind, value: Any, here: str) -> list[tuple[Any, str]]:
    if kind == "node" or (kind in ("begin", "end") and isinstance(value, Mapping)):
        return [(value, here)]
    if kind == "nodes":
        return [(item, f"{here}/{index}") for index, item in enumerate(value)]
    if kind == "rules":
        return [(item[1], f"{here}/{index}/1") for index, item in enumerate(value)]
    return []


def _unknown(type_name: Any) -> str:
    return "a node without `type`" if type_name is None else f"unknown node type {type_name!r}"


def _nearest(type_name: Any) -> str:
    if type_name is None:
        return "give it one: const_string, json_schema, any_text, tag, ..."
    near = get_close_matches(str(type_name), NODES, n=2, cutoff=0.6)
    return f"did you mean {' or '.join(near)}?" if near else "xgrammar 0.2.9 has no such node"
