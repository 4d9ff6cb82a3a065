"""What the shape of a tag says of its outputs, as xgrammar 0.2.9 compiles it.

Nodes here are plain values; what is malformed counts as nothing (G001 reports it).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from structag_cli.json_values import as_list, text_at
from structag_cli.lint.tag_nodes import ends_of
from structag_cli.place import escape_pointer

_SKIPPABLE = {"any_text", "any_tokens", "optional", "star", "dispatch", "token_dispatch"}
_LISTS = {"triggered_tags", "token_triggered_tags", "tags_with_separator"}


def nullable(node: Any) -> bool:
    """Whether the empty text is an output of a node."""
    if not isinstance(node, Mapping):
        return False
    kind = text_at(node, "type")
    if kind in _SKIPPABLE:
        return True
    if kind in _LISTS:
        return node.get("at_least_one") is not True
    if kind == "const_string":
        return node.get("value") == ""
    if kind == "sequence":
        return all(nullable(element) for element in listed(node, "elements"))
    if kind == "or":
        return any(nullable(element) for element in listed(node, "elements"))
    if kind == "plus":
        return nullable(node.get("content"))
    if kind == "repeat":
        return node.get("min") == 0 or nullable(node.get("content"))
    if kind == "tag":
        bare = node.get("begin") == "" and "" in ends_of(node)
        return bare and nullable(node.get("content"))
    return False


def unlimited(node: Any, *, excused: bool = True) -> bool:
    """Whether xgrammar counts a node as unlimited: such content needs an end.

    Measured: free text that excludes something is excused, but not right in an option or a
    repetition; lists are unlimited, and a tag inside ends by its own end.
    """
    if not isinstance(node, Mapping):
        return False
    kind = text_at(node, "type")
    if kind in ("any_text", "triggered_tags", "dispatch"):
        return not (excused and node.get("excludes"))
    if kind in ("any_tokens", "token_triggered_tags", "token_dispatch"):
        return not (excused and node.get("exclude_tokens"))
    if kind in ("star", "plus", "tags_with_separator"):
        return True
    if kind in ("sequence", "or"):
        return any(unlimited(each) for each in listed(node, "elements"))
    if kind in ("optional", "repeat"):
        return node.get("max") == -1 or unlimited(node.get("content"), excused=False)
    return False


def fewest_calls(node: Any) -> int:
    """How many calls every output has: tags whose content holds a schema and no call."""
    if not isinstance(node, Mapping):
        return 0
    kind = text_at(node, "type")
    if kind == "tag":
        if holds_arguments(node):
            return 1
        inner = fewest_calls(node.get("content"))
        return inner or int(_has_schema(node.get("content")))
    if kind == "sequence":
        return sum(fewest_calls(element) for element in listed(node, "elements"))
    if kind == "or":
        return min((fewest_calls(element) for element in listed(node, "elements")), default=0)
    if kind == "plus":
        return fewest_calls(node.get("content"))
    if kind == "repeat":
        least = node.get("min")
        return least * fewest_calls(node.get("content")) if isinstance(least, int) else 0
    if kind in _LISTS and node.get("at_least_one") is True:
        return min((fewest_calls(tag) for tag in listed(node, "tags")), default=0)
    return 0


def holds_arguments(tag: Any) -> bool:
    """Whether the tags in a tag are the arguments of one call, not calls.

    Such a call has text of its own beside them (an index, a separator), or arguments that no
    object describes. A wrapper of calls has at most punctuation between them.
    """
    if not isinstance(tag, Mapping) or tag.get("type") != "tag":
        return False
    parts = list(_flat(tag.get("content")))
    tags = [part for part in parts if part.get("type") == "tag"]
    return bool(tags) and (any(map(_wordy, parts)) or any(map(_of_plain_value, tags)))


def _flat(node: Any) -> Iterator[Mapping[str, Any]]:
    """The parts of a sequence, with those of sequences, choices and repetitions in it."""
    if not isinstance(node, Mapping):
        return
    kind = text_at(node, "type")
    if kind in ("sequence", "or"):
        for element in listed(node, "elements"):
            yield from _flat(element)
    elif kind in ("optional", "star", "plus", "repeat"):
        yield from _flat(node.get("content"))
    else:
        yield node


def _wordy(part: Mapping[str, Any]) -> bool:
    """Whether a part is text of a call itself."""
    if part.get("type") == "const_string":
        return any(char.isalnum() for char in str(part.get("value")))
    return part.get("type") in ("regex", "grammar", "json_schema")


def _of_plain_value(tag: Mapping[str, Any]) -> bool:
    """Whether a tag's schema is that of a value which is no object."""
    content = tag.get("content")
    schema = content.get("json_schema") if isinstance(content, Mapping) else None
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    return isinstance(kind, str) and kind != "object"


def _has_schema(node: Any) -> bool:
    if not isinstance(node, Mapping):
        return False
    if node.get("type") == "sequence":
        return any(_has_schema(element) for element in listed(node, "elements"))
    return node.get("type") in ("json_schema", "qwen_xml_parameter")


def texts(node: Any, pointer: str, last: bool = True) -> Iterator[tuple[str, str, bool]]:
    """The fixed texts of a tag: pointer, text, and whether the output may end right after it."""
    if not isinstance(node, Mapping):
        return
    kind = text_at(node, "type")
    if kind == "const_string" and isinstance(node.get("value"), str):
        yield f"{pointer}/value", node["value"], last
    elif kind == "tag":
        yield from _of_tag(node, pointer, last)
    elif kind == "sequence":
        elements = listed(node, "elements")
        for index, element in enumerate(elements):
            rest = last and all(nullable(later) for later in elements[index + 1 :])
            yield from texts(element, f"{pointer}/elements/{index}", rest)
    elif kind == "or":
        for index, element in enumerate(listed(node, "elements")):
            yield from texts(element, f"{pointer}/elements/{index}", last)
    elif kind in ("optional", "star", "plus", "repeat"):
        once = kind != "repeat" or node.get("min") in (0, 1)
        yield from texts(node.get("content"), f"{pointer}/content", last and once)
    elif kind in _LISTS:
        for index, tag in enumerate(listed(node, "tags")):
            yield from texts(tag, f"{pointer}/tags/{index}", last)
        if isinstance(node.get("separator"), str):
            yield f"{pointer}/separator", node["separator"], False
    elif kind == "dispatch":
        for index, rule in enumerate(listed(node, "rules")):
            if isinstance(rule, list) and len(rule) == 2 and isinstance(rule[0], str):
                yield f"{pointer}/rules/{index}/0", rule[0], last and nullable(rule[1])
                yield from texts(rule[1], f"{pointer}/rules/{index}/1", last)


def _of_tag(node: Mapping[str, Any], pointer: str, last: bool) -> Iterator[tuple[str, str, bool]]:
    bare = "" in ends_of(node)
    content = node.get("content")
    for place, text in _written(node.get("begin"), f"{pointer}/begin"):
        yield place, text, last and bare and nullable(content)
    yield from texts(content, f"{pointer}/content", last and bare)
    end = node.get("end")
    for index, each in enumerate(end if isinstance(end, list) else [end]):
        where = f"/{index}" if isinstance(end, list) else ""
        for place, text in _written(each, f"{pointer}/end{where}"):
            yield place, text, last


def _written(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """A text, or the text of a token."""
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, Mapping) and isinstance(value.get("token"), str):
        yield f"{pointer}/{escape_pointer('token')}", value["token"]


def listed(node: Mapping[str, Any], field: str) -> list[Any]:
    """A field that holds a list; empty where it holds none."""
    return as_list(node.get(field))


def may_begin(node: Any, text: str) -> bool:
    """Whether the content of a tag may begin with a text; where unsure, that it may not."""
    if not isinstance(node, Mapping):
        return False
    kind = text_at(node, "type")
    if kind == "any_text":
        excludes = node.get("excludes")
        banned = [e for e in excludes if isinstance(e, str)] if isinstance(excludes, list) else []
        return not any(each in text for each in banned)
    if kind in ("any_tokens", "dispatch", "triggered_tags"):
        return True
    if kind == "const_string":
        value = node.get("value")
        return isinstance(value, str) and bool(value) and value.startswith(text)
    if kind == "sequence":
        elements = listed(node, "elements")
        return bool(elements) and may_begin(elements[0], text)
    if kind in ("or", "optional", "star", "plus", "repeat"):
        inner = listed(node, "elements") if kind == "or" else [node.get("content")]
        return any(may_begin(each, text) for each in inner)
    return False


def told_apart(one: Any, other: Any) -> bool:
    """Whether fixed texts tell two contents apart before their free parts differ."""
    for first, second in zip(_parts(one), _parts(other), strict=False):
        if first == second:
            continue
        if not first.get("type") == second.get("type") == "const_string":
            return False
        a, b = str(first.get("value")), str(second.get("value"))
        return not (a.startswith(b) or b.startswith(a))
    return False


def _parts(content: Any) -> list[Mapping[str, Any]]:
    if not isinstance(content, Mapping):
        return []
    parts = listed(content, "elements") if content.get("type") == "sequence" else [content]
    return [part for part in parts if isinstance(part, Mapping)]
