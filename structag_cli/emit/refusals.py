"""Values of the right type for which xgrammar 0.2.9 refuses a node all the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Refusal = tuple[str, str]
"""The pointer below the node, and the message."""

_NOT_EMPTY = {
    "triggered_tags": ("triggers", "tags"),
    "token_triggered_tags": ("trigger_tokens", "tags"),
    "tags_with_separator": ("tags",),
    "sequence": ("elements",),
    "or": ("elements",),
    "dispatch": ("rules",),
    "token_dispatch": ("rules",),
    "tag": ("end",),
}
_TEXTS = {
    "triggered_tags": ("triggers", "excludes"),
    "dispatch": ("excludes",),
    "json_schema": ("excludes",),
}
_LEAST = {"max_tokens": 0, "max_chars": 0, "max_whitespace_cnt": 1, "min": 0, "max": -1}
WORDS = {
    "style": (
        *("json", "qwen_xml", "minimax_xml", "minimax_m3_xml", "deepseek_xml", "glm_xml"),
        *("cohere_xml", "kimi_k3_xml", "deepseek_v4_1_xml", "gemma"),
    ),
    "syntax": ("ebnf", "lark"),
}
"""The words that a field takes."""


def refusals(node: Mapping[str, Any]) -> Iterator[Refusal]:
    """Why xgrammar refuses a node whose fields have the right types; nodes below apart."""
    kind = str(node.get("type"))
    for name in _NOT_EMPTY.get(kind, ()):
        if node.get(name) == []:
            yield f"/{name}", f"`{name}` of {kind} is empty"
    for name in _TEXTS.get(kind, ()):
        listed = node.get(name)
        for index, text in enumerate(listed if isinstance(listed, list) else []):
            if text == "":
                yield f"/{name}/{index}", f"an empty text in `{name}` of {kind}"
    for name, least in _LEAST.items():
        value = node.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value < least:
            yield f"/{name}", f"`{name}` is {value}, and {least} is the least"
    for name, words in WORDS.items():
        if isinstance(node.get(name), str) and node[name] not in words:
            yield f"/{name}", f"`{name}` is {node[name][:40]!r}, not one of {', '.join(words)}"
    if kind == "repeat":
        yield from _repeat(node)
    if kind in ("triggered_tags", "token_triggered_tags"):
        yield from _begins(node, kind)


def _repeat(node: Mapping[str, Any]) -> Iterator[Refusal]:
    least, most = node.get("min"), node.get("max")
    if isinstance(least, int) and isinstance(most, int) and least > most >= 0:
        yield "/min", f"`min` {least} is above `max` {most}"


def _begins(node: Mapping[str, Any], kind: str) -> Iterator[Refusal]:
    """Triggers of text need begins of text, triggers of tokens begins that are tokens."""
    tags = node.get("tags")
    wanted, word = (str, "a string") if kind == "triggered_tags" else (Mapping, "a token node")
    for index, tag in enumerate(tags if isinstance(tags, list) else []):
        begin = tag.get("begin") if isinstance(tag, Mapping) else None
        if isinstance(begin, (str, Mapping)) and not isinstance(begin, wanted):
            yield f"/tags/{index}/begin", f"`begin` of a tag in {kind} must be {word}"
