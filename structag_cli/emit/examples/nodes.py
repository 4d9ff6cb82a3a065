"""Walks the nodes of a tag and gives a few texts for each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from structag_cli.emit.anatomy import NODES, holds
from structag_cli.emit.examples.instances import instances
from structag_cli.emit.examples.regexes import matching_text
from structag_cli.emit.examples.trouble import NoExample
from structag_cli.json_values import text_at

SENTENCES = ("I can help with that.", "Hello", "ok", "1", "")
_FREE_TEXT = {
    *("any_text", "any_tokens", "triggered_tags", "token_triggered_tags"),
    *("dispatch", "token_dispatch"),
}
_WHY_NOT = {
    "None": "a node without a type",
    "grammar": "no text is derived from the rules of a grammar node",
}
_TRIED = 50
"""Tags of one node that are tried before giving up."""


class Walker:
    """Gives up to ``count`` texts for a node, the most telling first."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.notes: list[str] = []
        self.walkers: dict[str, Callable[[Mapping[str, Any]], list[str]]] = {
            "const_string": lambda node: [node["value"]],
            "json_schema": self._schema,
            "qwen_xml_parameter": self._schema,
            "regex": lambda node: [matching_text(node["pattern"])],
            "any_text": self._any_text,
            "any_tokens": self._any_text,
            "token": lambda node: [_token(node["token"])],
            "exclude_token": self._exclude_token,
            "sequence": self._sequence,
            "or": self._or,
            "optional": lambda node: self._limited(["", *self.texts(node["content"])]),
            "star": lambda node: self._times(node["content"], 0, None),
            "plus": lambda node: self._times(node["content"], 1, None),
            "repeat": self._repeat,
            "tag": self._tag,
            "triggered_tags": self._triggered,
            "token_triggered_tags": self._triggered,
            "tags_with_separator": self._separated,
            "dispatch": self._dispatch,
            "token_dispatch": self._dispatch,
        }

    def texts(self, node: Any) -> list[str]:
        """At least one text that the node accepts.

        Raises:
            NoExample: none can be made for certain.
        """
        kind = node.get("type") if isinstance(node, Mapping) else None
        walker = self.walkers.get(kind) if isinstance(kind, str) else None
        if walker is None:
            raise NoExample(_WHY_NOT.get(str(kind), f"unknown node type {kind!r}"))
        for name, field in NODES[str(kind)].items():
            value = node.get(name)
            if (value is None and field.required) or (
                value is not None and not holds(field.kind, value)
            ):
                raise NoExample(f"a {kind} node with a wrong `{name}`")
        return self._limited(walker(node))

    def _limited(self, texts: Iterable[str]) -> list[str]:
        """The first few different texts."""
        found: list[str] = []
        for text in texts:
            if text not in found:
                found.append(text)
            if len(found) == self.count:
                break
        return found

    def _note(self, notes: Iterable[str]) -> None:
        self.notes += [note for note in notes if note not in self.notes]

    def _schema(self, node: Mapping[str, Any]) -> list[str]:
        style = "qwen_xml" if node["type"] == "qwen_xml_parameter" else node.get("style") or "json"
        schema = node["json_schema"]
        found = instances(schema, all_closed=style == "minimax_m3_xml")
        if node.get("excludes"):
            found.values = [v for v in found.values if not _holds_any(_json(v), node["excludes"])]
        if node.get("max_whitespace_cnt") == 0:
            found.compact = True
        rendered: list[str] = []
        trouble = NoExample("the schema's strings are excluded")
        for value in found.values:
            try:
                rendered.append(_rendered(value, schema, style, found.compact))
            except NoExample as err:
                trouble = err
        if not rendered:
            raise trouble
        self._note(found.notes)
        return rendered

    def _any_text(self, node: Mapping[str, Any]) -> list[str]:
        banned = [*(node.get("excludes") or []), *_texts(node.get("exclude_tokens"))]
        limits = [node[name] for name in ("max_tokens", "max_chars") if node.get(name) is not None]
        longest = min(limits, default=1000)
        sentence = _sentence(banned, longest)
        return [sentence, ""] if self.count > 1 else [sentence]

    def _exclude_token(self, node: Mapping[str, Any]) -> list[str]:
        banned = node.get("exclude_tokens") or []
        letters = [
            letter for letter in "aAx1" if letter not in banned and ord(letter) not in banned
        ]
        if not letters:
            raise NoExample("a token that is not excluded")
        return letters[:1]

    def _sequence(self, node: Mapping[str, Any]) -> list[str]:
        parts = [self.texts(element) for element in node["elements"]]
        most = max(map(len, parts), default=1)
        return ["".join(part[min(n, len(part) - 1)] for part in parts) for n in range(most)]

    def _or(self, node: Mapping[str, Any]) -> list[str]:
        columns = list(self._each(node["elements"]))
        return _interleaved(columns)

    def _each(self, nodes: Sequence[Any]) -> Iterator[list[str]]:
        """The texts of the first few nodes that have any.

        Raises:
            NoExample: none has.
        """
        given = 0
        trouble: NoExample | None = None
        for node in nodes[:_TRIED]:
            try:
                texts = self.texts(node)
            except NoExample as err:
                trouble = err
                continue
            given += 1
            yield texts
            if given == self.count:
                break
        if trouble is not None:
            if given == 0:
                raise trouble
            self._note([f"some tags have no example: {trouble}"])
        elif given == 0:
            raise NoExample("nothing to choose from")

    def _times(self, content: Any, low: int, high: int | None) -> list[str]:
        counts = [max(low, 1), low, max(low, 1) + 1]
        allowed = [n for n in counts if high is None or n <= high]
        if any(allowed) and max(allowed) > 1000:
            raise NoExample(f"{low} repetitions")
        if not any(allowed):
            return [""]
        texts = self.texts(content)
        return ["".join(texts[n % len(texts)] for n in range(times)) for times in allowed]

    def _repeat(self, node: Mapping[str, Any]) -> list[str]:
        high = None if node["max"] == -1 else node["max"]
        if high is not None and high < node["min"]:
            raise NoExample("a repeat with max below min")
        return self._times(node["content"], node["min"], high)

    def _tag(self, node: Mapping[str, Any]) -> list[str]:
        begin, ends = _edge(node["begin"])[0], _edge(node["end"])
        content = node["content"]
        if content.get("type") in ("any_text", "any_tokens"):
            # Free text runs to the first end that turns up.
            content = {**content, "excludes": [*(content.get("excludes") or []), *ends]}
        contents = self.texts(content)
        if _has_free_text(content):
            contents = [text for text in contents if _ends_at(text, ends)]
        if not contents:
            raise NoExample("a tag whose free text holds its own end")
        return [begin + content + ends[0] for content in contents]

    def _triggered(self, node: Mapping[str, Any]) -> list[str]:
        triggers = node.get("triggers") or _texts(node.get("trigger_tokens"))
        banned = [*(node.get("excludes") or []), *_texts(node.get("exclude_tokens"))]
        one, stop = node.get("at_least_one"), node.get("stop_after_first")
        sentence = _sentence([*triggers, *banned], 1000)
        gap = "" if _holds_any("\n", [*triggers, *banned]) else "\n"
        tags = [tag for tag in _distinct(node["tags"]) if _reachable(tag, banned)]
        columns = list(self._each(tags)) if one else self._calls_if_any(tags)
        calls = _interleaved(columns)
        several = [] if stop else list(_pairs(columns, gap, _is_container(tags)))
        if one:
            return [*calls[:1], *several, *calls[1:]]
        before = sentence + gap if sentence else ""
        safe = [call for call in calls if _starts_at(before, call, triggers)]
        return [
            sentence,
            *(before + c for c in safe[:1]),
            *several,
            *(before + c for c in safe[1:]),
        ]

    def _calls_if_any(self, tags: Sequence[Any]) -> list[list[str]]:
        """The calls' texts where calls are optional: free text stands without them."""
        if self.count == 1:
            return []
        try:
            return list(self._each(tags))
        except NoExample as err:
            self._note([f"no example of a call: {err}"])
            return []

    def _separated(self, node: Mapping[str, Any]) -> list[str]:
        columns = list(self._each(_distinct(node["tags"])))
        calls = _interleaved(columns)
        if node.get("stop_after_first"):
            texts = calls
        else:
            texts = [*calls[:1], *_pairs(columns, node["separator"], False), *calls[1:]]
        return texts if node.get("at_least_one") else [*texts[: max(self.count - 1, 1)], ""]

    def _dispatch(self, node: Mapping[str, Any]) -> list[str]:
        patterns = [_token(pattern) for pattern, _ in node["rules"]]
        banned = [*(node.get("excludes") or []), *_texts(node.get("exclude_tokens"))]
        sentence = _sentence([*patterns, *banned], 1000)
        texts = [sentence]
        for pattern, (_, content) in list(zip(patterns, node["rules"], strict=True))[: self.count]:
            if _holds_any(pattern, banned) or not _starts_at(sentence, pattern, patterns):
                continue
            texts += [sentence + pattern + inner for inner in self.texts(content)[:1]]
        return texts


def _rendered(value: Any, schema: Any, style: str, compact: bool) -> str:
    if style == "json":
        return _json(value, compact)
    from structag_cli.emit.examples.arguments import render_arguments

    return render_arguments(value, schema, style, compact)


def _json(value: Any, compact: bool = False) -> str:
    separators = (",", ":") if compact else None
    return json.dumps(value, ensure_ascii=False, separators=separators)


def _sentence(banned: Sequence[str], longest: int) -> str:
    for sentence in SENTENCES:
        if len(sentence) <= longest and not _holds_any(sentence, banned):
            return sentence
    return ""


def _holds_any(text: str, banned: Iterable[str]) -> bool:
    return any(string in text for string in banned if string)


def _starts_at(before: str, call: str, triggers: Sequence[str]) -> bool:
    """Whether the first trigger in the text is the call's own."""
    text = before + call
    return all(text.find(t) not in range(len(before)) for t in triggers)


def _ends_at(text: str, ends: Sequence[str]) -> bool:
    """Whether no end turns up before the text is over."""
    return all((text + ends[0]).find(end) not in range(len(text)) for end in ends if end)


def _has_free_text(node: Any) -> bool:
    """Whether a text of the node may hold anything, its own end included."""
    if not isinstance(node, Mapping):
        return isinstance(node, list) and any(map(_has_free_text, node))
    if text_at(node, "type") in _FREE_TEXT:
        return True
    return any(_has_free_text(node.get(key)) for key in ("content", "elements", "tags"))


def _distinct(tags: Sequence[Any]) -> list[Any]:
    """The tags without those that another could be taken for, by its beginning and free text."""
    begins = [tag.get("begin") if isinstance(tag, Mapping) else None for tag in tags]
    free = [i for i, tag in enumerate(tags) if isinstance(begins[i], str) and _has_free_text(tag)]
    if not free:
        return list(tags)
    texts = [begin if isinstance(begin, str) else None for begin in begins]
    clashing = {
        index
        for one in free
        for other in range(len(tags))
        if other != one and _clash(texts[one], texts[other])
        for index in (one, other)
    }
    return [tag for index, tag in enumerate(tags) if index not in clashing]


def _clash(one: str | None, other: str | None) -> bool:
    return (
        one is not None and other is not None and (one.startswith(other) or other.startswith(one))
    )


def _reachable(tag: Any, banned: Sequence[str]) -> bool:
    """Whether the text that opens the tag holds nothing excluded."""
    begin = tag.get("begin") if isinstance(tag, Mapping) else None
    return not _holds_any(begin, banned) if isinstance(begin, str) else isinstance(tag, Mapping)


def _texts(tokens: Any) -> list[str]:
    return [token for token in tokens or [] if isinstance(token, str)]


def _token(token: Any) -> str:
    if isinstance(token, str):
        return token
    raise NoExample(f"token {token}, whose text only a tokenizer knows")


def _edge(edge: Any) -> list[str]:
    """The texts with which a tag may begin or end."""
    if isinstance(edge, Mapping):
        return [_token(edge.get("token"))]
    return [edge] if isinstance(edge, str) else list(edge) or [""]


def _interleaved(columns: Sequence[Sequence[str]]) -> list[str]:
    """The first of each, then the second of each."""
    most = max(map(len, columns), default=0)
    return [column[n] for n in range(most) for column in columns if n < len(column)]


def _pairs(columns: Sequence[Sequence[str]], between: str, containers: bool) -> Iterator[str]:
    """Two calls, of different tools where there are two; blocks of calls stand alone."""
    if columns and not containers:
        yield columns[0][0] + between + columns[min(1, len(columns) - 1)][-1]


def _is_container(tags: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the tags hold several calls already."""
    contents = [tag.get("content") for tag in tags[:1]]
    return any(isinstance(c, Mapping) and "tags" in c for c in contents)
