"""XML-like styles with one element a parameter, described by a table."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from structag_cli.reader.cuts import begins, rest_of, squeezed
from structag_cli.reader.json_text import dumps, loads
from structag_cli.reader.types import decode, property_schema, type_name
from structag_cli.reader.values import Parsed


@dataclass(frozen=True)
class FlatStyle:
    """One style.

    ``opening`` has ``{key}`` and, where a value carries its type, ``{type}``; ``types``
    maps JSON types to what stands there, and ``raw`` is the one whose value is plain text.
    ``pad`` surrounds a value, ``between`` joins parameters, ``after`` ends each,
    ``escapes`` are replaced in keys, and ``strips`` says that a reader takes a line break
    off both ends of a value. Nested values are JSON, and a raw value ends at the
    first closing mark.
    Source: chat templates, and what xgrammar 0.2.9 accepts.
    """

    opening: str
    closing: str
    types: dict[str, str] | None = None
    raw: str = "string"
    pad: str = ""
    between: str = ""
    after: str = ""
    escapes: tuple[tuple[str, str], ...] = ()
    strips: bool = False

    def render(self, arguments: dict[str, Any], schema: Any) -> str:
        """One element a parameter, in the order of the arguments."""
        parts = [self._element(key, value) for key, value in arguments.items()]
        return self.between.join(parts)

    def _element(self, key: str, value: Any) -> str:
        text = value if isinstance(value, str) else dumps(value)
        for plain, escaped in self.escapes:
            key = key.replace(plain, escaped)
        opening = self.opening.replace("{key}", key)
        if self.types is not None:
            opening = opening.replace("{type}", self.types[type_name(value)])
        pad = self.pad or ("\n" if self.strips and text != text.strip("\n") else "")
        return f"{opening}{pad}{text}{pad}{self.closing}{self.after}"

    def laid_out(self, begin: str, end: str) -> FlatStyle:
        """The style as a format lays it out whose arguments stand between these texts.

        A begin that ends its line has a parameter a line, one that does not has all in
        one; an end that starts with a line break has each value on lines of its own.
        Source: chat templates of Qwen3-Coder, Seed-OSS, MiMo, GLM-4.5, GLM-4.7.
        """
        if self.pad and end.startswith("\n"):
            return self
        lines = begin.endswith("\n")
        opening = self.opening.replace("><", ">\n<") if lines else self.opening
        return replace(self, opening=opening, pad="", between="", after="\n" if lines else "")

    def parse(self, text: str, at: int, schema: Any) -> Parsed:
        """Parameters up to the first text that is none; white space between them is free."""
        arguments: dict[str, Any] = {}
        faults: list[str] = []
        while match := self._pattern.match(text, at):
            closed = text.find(self.closing, match.end())
            if closed < 0:
                return Parsed(None, len(text), ("a value without an end",), truncated=True)
            key = self._key(match.group("key"))
            if key in arguments:
                faults.append(f"parameter {key} stands twice, the last one counts")
            raw = self._unpadded(text[match.end() : closed])
            kind = match.group("type") if self.types is not None else None
            arguments[key] = self._value(raw, kind, key, schema, faults)
            at = closed + len(self.closing)
        rest = rest_of(text, at)
        short = bool(rest and begins(rest, self._parts))
        return Parsed(None if short else arguments, at, tuple(faults), truncated=short)

    @cached_property
    def _parts(self) -> tuple[str | re.Pattern[str], ...]:
        """The opening as texts, and patterns for key and type."""
        parts = re.split(r"(\{key\}|\{type\})", self.opening)
        holes = {"{key}": re.compile(r"[^>\n]*"), "{type}": re.compile(r"\w*")}
        return tuple(holes.get(part) or squeezed(part) for part in parts if part)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = re.split(r"(\{key\}|\{type\})", self.opening)
        groups = {"{key}": r"(?P<key>[^>\n]*?)", "{type}": r"(?P<type>\w+)"}
        texts = (groups.get(p) or re.escape(p).replace("><", r">\s*<") for p in parts)
        return re.compile(r"\s*" + "".join(texts))

    def _key(self, text: str) -> str:
        for plain, escaped in reversed(self.escapes):
            text = text.replace(escaped, plain)
        return text

    def _unpadded(self, raw: str) -> str:
        if not self.strips:
            return raw
        raw = raw[1:] if raw.startswith("\n") else raw
        return raw[:-1] if raw.endswith("\n") else raw

    def _value(self, raw: str, kind: str | None, key: str, schema: Any, faults: list[str]) -> Any:
        if kind is None or self.types is None:
            return decode(raw, property_schema(schema, key, schema), schema)
        if kind == self.types[self.raw]:
            return raw
        try:
            return loads(raw)
        except (ValueError, RecursionError):
            faults.append(f"parameter {key}: a value marked {kind} is not JSON")
            return raw


_JSON_TYPES = {
    name: name for name in ("string", "number", "boolean", "null", "object", "array")
} | {"integer": "number"}

_IS_STRING = dict.fromkeys(_JSON_TYPES, "false") | {"string": "true"}

FLAT: dict[str, FlatStyle] = {
    "qwen_xml": FlatStyle("<parameter={key}>", "</parameter>", pad="\n", between="\n", strips=True),
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
    "kimi_k3_xml": FlatStyle(
        '<|open|>argument key="{key}" type="{type}"<|sep|>',
        "<|close|>argument<|sep|>",
        types=_JSON_TYPES,
        escapes=(("&", "&amp;"), ('"', "&quot;")),
    ),
}
