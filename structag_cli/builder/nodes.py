"""The structural-tag nodes that structag builds, as types.

Field names, order and the ``type`` tag are xgrammar's own, so that a tag written as
JSON equals what an engine sends (Dynamo 1.3.1 and 1.6.1, conformance corpus).
"""

from __future__ import annotations

from typing import Any

import msgspec


class _Node(msgspec.Struct, frozen=True, tag_field="type"):
    """A node of the format tree."""


class ConstString(_Node, frozen=True, tag="const_string"):
    """Exactly this text."""

    value: str


class JsonSchema(_Node, frozen=True, tag="json_schema"):
    """A value that satisfies a JSON Schema, written in an argument style."""

    json_schema: Any
    style: str


class Regex(_Node, frozen=True, tag="regex"):
    """Text that matches a regular expression in full."""

    pattern: str


class AnyText(_Node, frozen=True, tag="any_text"):
    """Free text, without the excluded strings."""

    excludes: list[str] = []


class AnyTokens(_Node, frozen=True, tag="any_tokens"):
    """Free tokens, without the excluded ones."""

    exclude_tokens: list[str | int]


class Sequence(_Node, frozen=True, tag="sequence"):
    """One after the other."""

    elements: list[Node]


class Tag(_Node, frozen=True, tag="tag"):
    """Begin, content, end."""

    begin: str
    content: Node
    end: str | list[str]


class TagsWithSeparator(_Node, frozen=True, tag="tags_with_separator"):
    """Tags joined by a separator."""

    tags: list[Tag]
    separator: str
    at_least_one: bool
    stop_after_first: bool


class TriggeredTags(_Node, frozen=True, tag="triggered_tags", omit_defaults=True, kw_only=True):
    """Free text in which a trigger opens one of the tags.

    ``excludes`` (strings that the free text may not hold) is left out when empty.
    """

    triggers: list[str]
    tags: list[Tag]
    excludes: list[str] = []
    at_least_one: bool
    stop_after_first: bool


Node = (
    ConstString
    | JsonSchema
    | Regex
    | AnyText
    | AnyTokens
    | Sequence
    | Tag
    | TagsWithSeparator
    | TriggeredTags
)


class StructuralTag(msgspec.Struct, frozen=True, tag_field="type", tag="structural_tag"):
    """The whole tag, as sent to an engine."""

    format: Node

    def to_json(self) -> dict[str, Any]:
        """The tag as plain JSON values (dicts, lists, strings), schemas untouched."""
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built
