"""Which part of a tag an output has reached, found in the tag and the text so far.

The engine knows this better but does not say it; what is read here is the text's own
marks: which call was begun and not ended, and how far its arguments go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from structag_cli.masks.json_path import json_position
from structag_cli.place import escape_pointer

_PARAMETER = re.compile(r'(?:parameter=|name=|key=|<arg_key>)"?([^"<>\s]+)')


@dataclass(frozen=True, slots=True)
class PlaceInTag:
    """A part of the tag.

    ``pointer`` is its JSON pointer in the tag, ``words`` says what it is, and
    ``argument`` is the JSON pointer of the argument being written, if one is.
    """

    pointer: str
    words: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class _Tag:
    pointer: str
    begin: str
    ends: tuple[str, ...]
    content: Any


def place_in_tag(tag: Mapping[str, Any], text: str) -> PlaceInTag:
    """The innermost part that the text has reached."""
    tags = list(_tags(tag.get("format"), "/format"))
    inside = _open_tag(tags, text)
    if inside is not None:
        return _within(*inside)
    partial = _partial_begin(tags, text)
    if partial is not None:
        return partial
    return _outside(tag.get("format"), tags, text)


def _tags(node: Any, pointer: str) -> Iterator[_Tag]:
    if isinstance(node, list):
        for number, item in enumerate(node):
            yield from _tags(item, f"{pointer}/{number}")
        return
    if not isinstance(node, Mapping):
        return
    if node.get("type") == "tag" and isinstance(node.get("begin"), str):
        end = node.get("end")
        ends = (end,) if isinstance(end, str) else tuple(end) if isinstance(end, list) else ()
        texts = tuple(item for item in ends if isinstance(item, str))
        yield _Tag(pointer, node["begin"], texts, node.get("content"))
    for key, value in node.items():
        if key != "json_schema":
            yield from _tags(value, f"{pointer}/{escape_pointer(str(key))}")


def _open_tag(tags: list[_Tag], text: str) -> tuple[_Tag, str] | None:
    """The tag begun last and not ended, with the text after its begin."""
    best: tuple[int, _Tag, str] | None = None
    for tag in tags:
        at = text.rfind(tag.begin) if tag.begin else -1
        if at < 0:
            continue
        rest = text[at + len(tag.begin) :]
        closed = any(end and end in rest for end in tag.ends)
        if not closed and (best is None or (at, len(tag.begin)) > (best[0], len(best[1].begin))):
            best = (at, tag, rest)
    return None if best is None else (best[1], best[2])


def _within(tag: _Tag, rest: str) -> PlaceInTag:
    for end in tag.ends:
        for size in range(len(end) - 1, 0, -1):
            if rest.endswith(end[:size]) and (size > 1 or end[0] not in "}\n"):
                return PlaceInTag(f"{tag.pointer}/end", f"the end of the call, {end!r}")
    content = tag.content if isinstance(tag.content, Mapping) else {}
    name = _short(tag.begin)
    if content.get("type") != "json_schema":
        return PlaceInTag(f"{tag.pointer}/content", f"what stands after {name}")
    pointer = f"{tag.pointer}/content/json_schema"
    if content.get("style", "json") == "json":
        position = json_position(rest)
        if position.done:
            return PlaceInTag(f"{tag.pointer}/end", f"the end of the call begun by {name}")
        where = f" at {position.pointer}" if position.pointer else ""
        words = f"the arguments of the call begun by {name}: {position.expects}{where}"
        return PlaceInTag(pointer, words, position.pointer)
    found = _PARAMETER.findall(rest)
    argument = f"/{escape_pointer(found[-1])}" if found else ""
    where = f" near {argument}" if argument else ""
    words = f"the arguments of the call begun by {name}, style {content.get('style')}{where}"
    return PlaceInTag(pointer, words, argument)


def _partial_begin(tags: list[_Tag], text: str) -> PlaceInTag | None:
    best: tuple[int, list[_Tag]] = (0, [])
    for tag in tags:
        for size in range(len(tag.begin) - 1, 0, -1):
            if text.endswith(tag.begin[:size]):
                if size > best[0]:
                    best = (size, [])
                if size == best[0]:
                    best[1].append(tag)
                break
    if not best[1]:
        return None
    names = ", ".join(_short(tag.begin) for tag in best[1][:3])
    more = f" and {len(best[1]) - 3} more" if len(best[1]) > 3 else ""
    return PlaceInTag(f"{best[1][0].pointer}/begin", f"the begin of a call: {names}{more}")


def _outside(node: Any, tags: list[_Tag], text: str) -> PlaceInTag:
    kind = node.get("type") if isinstance(node, Mapping) else None
    begun = any(tag.begin and tag.begin in text for tag in tags)
    if kind == "triggered_tags" and node.get("at_least_one") and not begun:
        return PlaceInTag("/format/tags", "the begin of a call, since at_least_one is set")
    if kind == "triggered_tags" and node.get("stop_after_first") and begun:
        return PlaceInTag("/format", "the end, since stop_after_first is set")
    if kind == "triggered_tags":
        names = ", ".join(map(repr, node.get("triggers") or ()))
        return PlaceInTag("/format", f"free text, or a call by its trigger {names}")
    if kind in ("any_text", "any_tokens") or _is_token_ban(node):
        return PlaceInTag("/format", "free text")
    return PlaceInTag("/format", f"the node {kind}")


def _is_token_ban(node: Any) -> bool:
    content = node.get("content") if isinstance(node, Mapping) else None
    return isinstance(content, Mapping) and content.get("type") in ("any_tokens", "any_text")


def _short(text: str) -> str:
    return repr(text if len(text) <= 48 else text[:45] + "...")
