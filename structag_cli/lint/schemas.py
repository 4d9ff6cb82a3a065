"""Every schema that a document hands to the engine: of tools, of a response format, in a tag."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from structag_cli.emit.anatomy import is_legacy
from structag_cli.formats.model import Grammar
from structag_cli.lint.subject import RawTool, Subject
from structag_cli.lint.tag_nodes import begin_of, tag_nodes

_FORMAT = -3
"""Index of a response format's schema, and below it those of a tag: no tool has them, nor has
a probe of another kind."""


def every_schema(subject: Subject) -> Iterator[tuple[RawTool, Any]]:
    """The schemas that are objects, or ``false``, each as if it were a tool's parameters."""
    for tool in [*subject.tools, *_of_format(subject), *_in_tag(subject)]:
        if isinstance(tool.schema, dict) or tool.schema is False:
            yield tool, tool.schema


def _of_format(subject: Subject) -> Iterator[RawTool]:
    """The schema of an OpenAI ``response_format``."""
    if subject.kind != "request" or not isinstance(subject.value, dict):
        return
    wanted = subject.value.get("response_format")
    inner = wanted.get("json_schema") if isinstance(wanted, dict) else None
    if isinstance(inner, dict):
        pointer = f"{subject.pointer}/response_format/json_schema"
        yield RawTool(
            _FORMAT, {"name": "response_format", "schema": inner.get("schema")}, pointer, "schema"
        )


def _in_tag(subject: Subject) -> Iterator[RawTool]:
    """The schemas in a tag, each named by the begin of the tag around it."""
    key = "schema" if subject.tag is not None and is_legacy(subject.tag) else "json_schema"
    for index, node in enumerate(tag_nodes(subject, "json_schema", "qwen_xml_parameter")):
        outer = [parent for parent in node.parents if parent.get("type") == "tag"]
        name = (begin_of(outer[-1]) if outer else None) or "schema"
        pointer = node.pointer.removesuffix("/content") if key == "schema" else node.pointer
        written = node.value.get("style", "json") if node.kind == "json_schema" else "qwen_xml"
        value = {"name": name[:60], key: node.value.get("json_schema"), "style": written}
        yield RawTool(_FORMAT - 1 - index, value, pointer, key)


def style_of_schema(subject: Subject, tool: RawTool) -> str:
    """How arguments by this schema are written: by the node of a tag, or by the parser."""
    if tool.index >= 0:
        return style_of(subject.settings.grammar)
    return str(tool.value.get("style", "json"))


def style_of(grammar: Grammar | None) -> str:
    """The argument style of a parser; JSON without one."""
    return "json" if grammar is None else grammar.calls[0].style
