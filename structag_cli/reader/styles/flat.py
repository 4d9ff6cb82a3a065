"""XML-like styles with one element a parameter, described by a table."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from structag_cli.reader.styles.json_style import dumps
from structag_cli.reader.types import decode, properties_of, type_name
from structag_cli.reader.values import Parsed


@dataclass(frozen=True, slots=True)
class FlatStyle:
    """One style.

    ``opening`` has ``{key}`` and, where a value carries its type, ``{type}``; ``types``
    maps JSON types to what stands there, and ``raw`` is the type whose value is plain
    text. ``pad`` surrounds a value, ``between`` joins parameters, ``after`` ends each.
    Source: chat templates, and what xgrammar 0.2.9 accepts.
    """

    opening: str
    closing: str
    types: dict[str, str] | None = None
    raw: str = "string"
    pad: str = ""
    between: str = ""
    after: str = ""

    def render(self, arguments: dict[str, Any], schema: Any) -> str:
        """One element a parameter, in the order of the arguments."""
        parts = [self._element(key, value) for key, value in arguments.items()]
        return self.between.join(parts)

    def _element(self, key: str, value: Any) -> str:
        text = value if isinstance(value, str) else dumps(value)
        opening = self.opening.replace("{key}", key)
        if self.types is not None:
            opening = opening.replace("{type}", self.types[type_name(value)])
        return f"{opening}{self.pad}{text}{self.pad}{self.closing}{self.after}"

    def parse(self, text: str, at: int, schema: Any) -> Parsed:
        """Parameters up to the first text that is none; the first closing mark ends a value."""
        pattern = self._pattern()
        properties = properties_of(schema)
        arguments: dict[str, Any] = {}
        faults: list[str] = []
        while match := pattern.match(text, at):
            closed = text.find(self.closing, match.end())
            if closed < 0:
                return Parsed(None, len(text), ("a value without an end",), truncated=True)
            key = match.group("key")
            if key in arguments:
                faults.append(f"parameter {key} stands twice, the last one counts")
            raw = self._unpadded(text[match.end() : closed])
            kind = match.group("type") if self.types is not None else None
            arguments[key] = self._value(raw, kind, properties.get(key, True), schema, faults)
            at = closed + len(self.closing)
        short = _begins(text[at:].lstrip(), self.opening.split("{")[0])
        return Parsed(None if short else arguments, at, tuple(faults), truncated=short)

    def _pattern(self) -> re.Pattern[str]:
        parts = re.split(r"(\{key\}|\{type\})", self.opening)
        groups = {"{key}": r"(?P<key>[^>\n]*?)", "{type}": r"(?P<type>\w+)"}
        texts = (groups.get(p) or re.escape(p).replace("><", r">\s*<") for p in parts)
        return re.compile(r"\s*" + "".join(texts))

    def _unpadded(self, raw: str) -> str:
        if self.pad != "\n":
            return raw
        raw = raw[1:] if raw.startswith("\n") else raw
        return raw[:-1] if raw.endswith("\n") else raw

    def _value(self, raw: str, kind: str | None, schema: Any, root: Any, faults: list[str]) -> Any:
        if kind is None or self.types is None:
            return decode(raw, schema, root)
        if kind == self.types[self.raw]:
            return raw
        try:
            return json.loads(raw)
        except (ValueError, RecursionError):
            faults.append(f"a value of type {kind} is not JSON")
            return raw


def _begins(text: str, mark: str) -> bool:
    """Whether the whole text is the beginning of an opening mark, cut anywhere in it."""
    if text.startswith(mark):
        return ">" not in text
    return bool(text) and mark.startswith(text)


_JSON_TYPES = {
    name: name for name in ("string", "number", "boolean", "null", "object", "array")
} | {"integer": "number"}

_IS_STRING = dict.fromkeys(_JSON_TYPES, "false") | {"string": "true"}

_COHERE = dict.fromkeys(_JSON_TYPES, "json") | {"string": "raw", "object": "dict", "array": "list"}

FLAT: dict[str, FlatStyle] = {
    "qwen_xml": FlatStyle("<parameter={key}>", "</parameter>", pad="\n", between="\n"),
    "minimax_xml": FlatStyle('<parameter name="{key}">', "</parameter>", after="\n"),
    "glm_xml": FlatStyle("<arg_key>{key}</arg_key><arg_value>", "</arg_value>"),
    "deepseek_xml": FlatStyle(
        '<｜DSML｜parameter name="{key}" string="{type}">',
        "</｜DSML｜parameter>",
        types=_IS_STRING,
        after="\n",
    ),
    "deepseek_v4_1_xml": FlatStyle(
        '<｜DSML｜ parameter name="{key}" string="{type}">',
        "</｜DSML｜ parameter>",
        types=_IS_STRING,
        after="\n",
    ),
    "cohere_xml": FlatStyle(
        '<cofl:value name="{key}" type="{type}">', "</cofl:value>", types=_COHERE
    ),
    "kimi_k3_xml": FlatStyle(
        '<|open|>argument key="{key}" type="{type}"<|sep|>',
        "<|close|>argument<|sep|>",
        types=_JSON_TYPES,
    ),
}
