"""A structural tag as an outline: lines of plain words with lines below them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from structag_cli.emit.anatomy import NODES, holds, is_legacy, root_node
from structag_cli.emit.schema_outline import schema_line, schema_lines
from structag_cli.emit.words import bounds, counted, listed, quoted, value_text
from structag_cli.json_values import text_at

MANY = 20
"""Tags of one node that are shown unless all are asked for."""
DEEPEST = 24
"""Levels that are shown unless all are asked for."""


@dataclass(slots=True)
class Line:
    """One line of the outline.

    ``kind`` is the node type behind it; ``wrong`` marks what xgrammar does not know.
    """

    text: str
    kind: str = ""
    wrong: bool = False
    below: list[Line] = field(default_factory=list)


def outline(tag: Mapping[str, Any], *, show_all: bool = False) -> Line:
    """The outline of a whole tag, of either form."""
    root, _ = root_node(tag)
    title = "structural tag"
    if is_legacy(tag):
        title += ", legacy form (structures and triggers)"
    known = ("structures", "triggers", "at_least_one") if is_legacy(tag) else ("format",)
    line = Line(title)
    line.below += _unknown_fields(tag, ("type", *known))
    line.below.append(_Writer(show_all).line(root, 1))
    return line


def _unknown_fields(node: Mapping[str, Any], known: tuple[str, ...]) -> list[Line]:
    return [
        Line(f"unknown field `{name}`: {value_text(node[name])}, xgrammar ignores it", wrong=True)
        for name in node
        if name not in known
    ]


class _Writer:
    """Writes nodes; one method a group of types."""

    def __init__(self, show_all: bool) -> None:
        self.show_all = show_all
        self.writers: dict[str, Callable[[Mapping[str, Any], int], Line]] = {
            "const_string": lambda node, depth: Line(f"exactly {quoted(node['value'])}"),
            "regex": lambda node, depth: Line(
                f"text that matches all of the regular expression {quoted(node['pattern'])}"
            ),
            "json_schema": self._schema,
            "qwen_xml_parameter": self._schema,
            "grammar": self._grammar,
            "any_text": lambda node, depth: Line(_any_text(node)),
            "any_tokens": lambda node, depth: Line(_any_tokens(node)),
            "token": lambda node, depth: Line(f"the one token {listed([node['token']])}"),
            "exclude_token": lambda node, depth: Line(_exclude_token(node)),
            "sequence": lambda node, depth: self._list("in this order:", node, depth),
            "or": lambda node, depth: self._list("one of these:", node, depth),
            "optional": lambda node, depth: self._content("once or not at all:", node, depth),
            "star": lambda node, depth: self._content("any number of times, or none:", node, depth),
            "plus": lambda node, depth: self._content("once or several times:", node, depth),
            "repeat": self._repeat,
            "tag": self._tag,
            "triggered_tags": self._triggered,
            "token_triggered_tags": self._triggered,
            "tags_with_separator": self._separated,
            "dispatch": self._dispatch,
            "token_dispatch": self._dispatch,
        }

    def line(self, node: Any, depth: int) -> Line:
        """The line of any node, known or not."""
        if depth > DEEPEST and not self.show_all:
            return Line(f"... {counted(_size(node), 'node')} below here (--all shows them)")
        if not isinstance(node, Mapping):
            return Line(f"not a node: {value_text(node)}", wrong=True)
        kind = node.get("type")
        fields = NODES.get(kind) if isinstance(kind, str) else None
        if not isinstance(kind, str) or fields is None:
            return _unknown_node(node)
        wrong = [
            name
            for name, field_ in fields.items()
            if (node.get(name) is None and field_.required)
            or (node.get(name) is not None and not holds(field_.kind, node[name]))
        ]
        if wrong:
            line = Line(f"{kind} with a missing or wrong {listed(wrong)}", kind, wrong=True)
            line.below = [
                Line(f"{name}: {value_text(value)}")
                for name, value in node.items()
                if name != "type"
            ]
            return line
        line = self.writers[kind](node, depth)
        line.kind = kind
        line.below += _unknown_fields(node, ("type", *fields))
        return line

    def _content(self, text: str, node: Mapping[str, Any], depth: int) -> Line:
        return Line(text, below=[self.line(node["content"], depth + 1)])

    def _list(self, text: str, node: Mapping[str, Any], depth: int) -> Line:
        return Line(text, below=self._some(node["elements"], depth, "more of them"))

    def _some(self, nodes: list[Any], depth: int, rest: str) -> list[Line]:
        most = len(nodes) if self.show_all or len(nodes) <= MANY + 1 else MANY
        lines = [self.line(node, depth + 1) for node in nodes[:most]]
        if most < len(nodes):
            lines.append(Line(f"... and {len(nodes) - most:,} {rest} (--all shows them)"))
        return lines

    def _repeat(self, node: Mapping[str, Any], depth: int) -> Line:
        high = None if node["max"] == -1 else node["max"]
        return self._content(f"{bounds(node['min'], high, 'times')}:", node, depth)

    def _grammar(self, node: Mapping[str, Any], depth: int) -> Line:
        rules = [text for text in node["grammar"].splitlines() if text.strip()]
        line = Line(f"text of this grammar ({node.get('syntax') or 'ebnf'}):")
        most = len(rules) if self.show_all else 8
        line.below = [Line(quoted(rule)) for rule in rules[:most]]
        if len(rules) > most:
            line.below.append(Line(f"... and {counted(len(rules) - most, 'more line')}"))
        return line

    def _schema(self, node: Mapping[str, Any], depth: int) -> Line:
        schema = node["json_schema"]
        style = "qwen_xml" if node["type"] == "qwen_xml_parameter" else node.get("style") or "json"
        line = Line(f"{_STYLES.get(style, f'in the unknown style {style}')}: {schema_line(schema)}")
        line.wrong = style not in _STYLES
        limit = None if self.show_all else 40
        line.below = _lines(schema_lines(schema, limit))
        if node.get("any_order"):
            line.below.insert(0, Line("properties in any order; required ones may be missing"))
        if node.get("max_whitespace_cnt") is not None:
            count = node["max_whitespace_cnt"]
            line.below.insert(0, Line(f"at most {count} white space characters in a row"))
        if node.get("excludes"):
            line.below.insert(0, Line(f"strings never hold {listed(node['excludes'])}"))
        return line

    def _tag(self, node: Mapping[str, Any], depth: int) -> Line:
        begin, end = _edge(node["begin"]), _edge(node["end"])
        if begin == end == "nothing":
            return Line("only:", below=[self.line(node["content"], depth + 1)])
        line = Line("directly:" if begin == "nothing" else f"begins {begin}")
        line.below.append(self.line(node["content"], depth + 1))
        line.below.append(Line("ends where that ends" if end == "nothing" else f"ends {end}"))
        return line

    def _triggered(self, node: Mapping[str, Any], depth: int) -> Line:
        tags = node["tags"]
        line = Line(_triggered_words(node, len(tags)))
        triggers = node.get("triggers") or node.get("trigger_tokens") or []
        what = "the tag" if len(tags) == 1 else "one of the tags"
        line.below.append(
            Line(f"trigger {listed(triggers)}: once it is written, {what} must follow in full")
        )
        line.below += _excluded(node, "free text")
        line.below += self._some(tags, depth, "more tags")
        return line

    def _separated(self, node: Mapping[str, Any], depth: int) -> Line:
        tags = node["tags"]
        any_tag = "the tag below" if len(tags) == 1 else f"one of the {len(tags):,} tags below"
        if node.get("stop_after_first"):
            number = "exactly once" if node.get("at_least_one") else "at most once"
            text = f"{any_tag}, {number}, no other text:"
        else:
            number = (
                "once or more" if node.get("at_least_one") else "any number of times, or never,"
            )
            between = "with nothing between them"
            if node["separator"]:
                between = f"joined by {quoted(node['separator'])}"
            text = f"{any_tag}, {number}, {between}, no other text:"
        return Line(text, below=self._some(tags, depth, "more tags"))

    def _dispatch(self, node: Mapping[str, Any], depth: int) -> Line:
        loops = node.get("loop", True)
        line = Line(
            "free text, also none, in which a pattern fixes what follows"
            + (", any number of times" if loops else "; the output ends after that")
            + ":"
        )
        line.below += _excluded(node, "free text")
        rules = node["rules"]
        most = len(rules) if self.show_all or len(rules) <= MANY + 1 else MANY
        for pattern, content in rules[:most]:
            below = [self.line(content, depth + 2)]
            line.below.append(Line(f"after {listed([pattern])}:", below=below))
        if most < len(rules):
            line.below.append(
                Line(f"... and {len(rules) - most:,} more patterns (--all shows them)")
            )
        return line


_STYLES = {
    "json": "JSON",
    "qwen_xml": "arguments as <parameter=key>value</parameter> (qwen_xml)",
    "minimax_xml": 'arguments as <parameter name="key">value</parameter> (minimax_xml)',
    "minimax_m3_xml": "arguments as nested ]<]minimax[>[<key> elements (minimax_m3_xml)",
    "deepseek_xml": "arguments as <｜DSML｜parameter> elements (deepseek_xml)",
    "deepseek_v4_1_xml": "arguments as <｜DSML｜ parameter> elements (deepseek_v4_1_xml)",
    "glm_xml": "arguments as <arg_key>key</arg_key><arg_value>value</arg_value> (glm_xml)",
    "cohere_xml": "arguments as <cofl:value> elements (cohere_xml)",
    "kimi_k3_xml": "arguments as <|open|>argument elements (kimi_k3_xml)",
    "gemma": 'arguments as {key:<|"|>value<|"|>} (gemma)',
}


def _lines(pairs: list[tuple[int, str]]) -> list[Line]:
    """Lines nested by the depth that each pair names."""
    top = Line("")
    path = [top]
    for depth, text in pairs:
        line = Line(text)
        del path[depth + 1 :]
        path[-1].below.append(line)
        path.append(line)
    return top.below


def _unknown_node(node: Mapping[str, Any]) -> Line:
    kind = node.get("type")
    name = "a node without a type" if kind is None else f"unknown node type {value_text(kind)}"
    line = Line(f"{name}: xgrammar 0.2.9 refuses it", wrong=True)
    line.below = [
        Line(f"{key}: {value_text(value)}") for key, value in node.items() if key != "type"
    ]
    return line


def _edge(edge: Any) -> str:
    """What a tag begins or ends with, in words."""
    if isinstance(edge, str):
        return quoted(edge) if not edge else f"with {quoted(edge)}"
    if isinstance(edge, list):
        return f"with {listed(edge)}"
    return f"with the one token {listed([edge.get('token')])}"


def _any_text(node: Mapping[str, Any]) -> str:
    text = "free text, also none"
    if node.get("excludes"):
        text += f", never with {listed(node['excludes'])} in it"
    return text + _budget(node)


def _any_tokens(node: Mapping[str, Any]) -> str:
    text = "free text, also none"
    if node.get("exclude_tokens"):
        banned = node["exclude_tokens"]
        noun = "the token" if len(banned) == 1 else "the tokens"
        text += f", never with {noun} {listed(banned)}"
        text += " (spelled from other tokens it may stand)" if len(banned) == 1 else ""
    return text + _budget(node)


def _exclude_token(node: Mapping[str, Any]) -> str:
    banned = node.get("exclude_tokens")
    return f"any one token but {listed(banned)}" if banned else "any one token"


def _budget(node: Mapping[str, Any]) -> str:
    limits = [
        f", at most {node[name]:,} {unit}"
        for name, unit in (("max_tokens", "tokens"), ("max_chars", "characters"))
        if node.get(name) is not None
    ]
    return "".join(limits)


def _triggered_words(node: Mapping[str, Any], count: int) -> str:
    """What may be written around the tags, and how many there may be."""
    one, stop = node.get("at_least_one"), node.get("stop_after_first")
    any_tag = "the tag below" if count == 1 else f"one of the {count:,} tags below"
    if one and stop:
        return f"{any_tag}, once, with no text before or after it:"
    if one:
        return f"{any_tag} first, with no text before it; then free text and more of them:"
    if stop:
        return f"free text, then at most once {any_tag}; the output ends after it:"
    return f"free text, in it any number of times {any_tag}, or never:"


def _excluded(node: Mapping[str, Any], what: str) -> list[Line]:
    banned = node.get("excludes") or node.get("exclude_tokens")
    return [Line(f"{what} never holds {listed(banned)}")] if banned else []


def _size(node: Any) -> int:
    """How many nodes there are in a node, itself included."""
    pending, total = [node], 0
    while pending:
        value = pending.pop()
        if isinstance(value, Mapping):
            total += text_at(value, "type") in NODES
            pending += [item for key, item in value.items() if key != "json_schema"]
        elif isinstance(value, list):
            pending += value
    return total
