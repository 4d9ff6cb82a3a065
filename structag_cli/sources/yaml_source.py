"""YAML, read from parser events: the 1.2 core schema, with places, without surprises.

``yes``, ``no``, ``on`` and dates stay strings (a tool's enum may hold them). Aliases
work, within a bound on what they expand to; tags that would build objects do not.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from structag_cli.errors import InputError
from structag_cli.place import Place, escape_pointer
from structag_cli.sources.document import Document, line_column
from structag_cli.sources.json_source import MAX_DEPTH, string_fault

MAX_NODES = 2_000_000
"""Most values that a document may hold, aliases expanded."""

_NULLS = {"", "~", "null", "Null", "NULL"}
_BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?[0-9]+")
_MOST_DIGITS = 3000
"""Longest number in another base than ten; Python prints none of more than 4300 digits."""

_OCTAL = re.compile(r"0o[0-7]+")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NO_NUMBER = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_FORBIDDEN = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What may not stand in YAML (section 5.1)."""
_STR = ("tag:yaml.org,2002:str", "!")
_TYPED: dict[str, Callable[[str], Any]] = {
    "tag:yaml.org,2002:int": lambda text: int(text, 0),
    "tag:yaml.org,2002:float": float,
    "tag:yaml.org,2002:bool": lambda text: _BOOLS[text],
    "tag:yaml.org,2002:null": lambda text: None,
}
_CONTAINERS = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq", "!", None)
_MERGE = "<<"


@dataclass(slots=True)
class _Open:
    """A container being read."""

    value: Any
    anchor: str | None
    size: int = 1
    height: int = 1
    key: str = ""
    has_key: bool = False
    merging: bool = False
    keys: dict[str, Any] = field(default_factory=dict)
    merged: list[Any] = field(default_factory=list)

    @property
    def segment(self) -> str:
        return str(len(self.value)) if isinstance(self.value, list) else escape_pointer(self.key)


class _Reader:
    """Builds a value from events, remembering where values start."""

    def __init__(
        self, file: str, places: dict[str, int] | None, aliases: dict[str, str] | None = None
    ) -> None:
        self.file = file
        self.places = places
        self.aliases = aliases
        self.anchored: dict[str, str] = {}
        self.levels: list[_Open] = []
        self.anchors: dict[str, tuple[Any, int, int]] = {}
        self.roots: list[Any] = []
        self.starts: list[Any] = []
        self.total = 0

    def pointer(self) -> str:
        return "".join("/" + level.segment for level in self.levels)

    def fault(self, message: str, event: Any, mend: str = "") -> InputError:
        mark = event.start_mark
        return InputError(
            message, place=Place(self.file, mark.line + 1, mark.column + 1), mend=mend
        )

    def begin(self, value: Any, event: Any) -> None:
        if event.tag not in _CONTAINERS:
            raise self.fault(f"the tag {event.tag} builds no plain value", event, "remove it")
        self._expect_value(event)
        self._note_anchor(event)
        self._check_depth(1, event)
        self._count(1, event)
        self.levels.append(_Open(value, event.anchor))

    def end(self, event: Any) -> None:
        level = self.levels.pop()
        for source in level.merged:
            for key, value in source.items():
                level.value.setdefault(key, value)
        self._put(level.value, level.size, level.height, level.anchor, event)

    def scalar(self, event: Any) -> None:
        level = self.levels[-1] if self.levels else None
        if level is not None and isinstance(level.value, dict) and not level.has_key:
            self._key(level, event)
            return
        self._expect_value(event)
        self._note_anchor(event)
        fault = string_fault(event.value)
        if fault:
            raise self.fault(f"{fault} in a string", event, "remove it")
        self._count(1, event)
        self._put(self._resolve(event), 1, 0, event.anchor, event)

    def alias(self, event: Any) -> None:
        if event.anchor not in self.anchors:
            raise self.fault(f"unknown or unfinished anchor *{event.anchor}", event)
        self._expect_value(event)
        value, size, height = self.anchors[event.anchor]
        if self.aliases is not None:
            self.aliases.setdefault(self.pointer(), self.anchored[event.anchor])
        self._check_depth(height, event)
        self._count(size, event)
        self._put(value, size, height, None, event)

    def _check_depth(self, height: int, event: Any) -> None:
        if len(self.levels) + height > MAX_DEPTH:
            raise self.fault(f"nested more than {MAX_DEPTH} deep", event, "flatten it")

    def _count(self, size: int, event: Any) -> None:
        """Bound what aliases expand to: the whole of it is walked and written later."""
        self.total += size
        if self.total > MAX_NODES:
            raise self.fault("aliases expand to millions of values", event, "write fewer aliases")

    def _key(self, level: _Open, event: Any) -> None:
        plain = event.implicit[0] and event.tag is None
        if plain and event.value == "<<":
            level.key, level.has_key, level.merging = _MERGE, True, True
            return
        key = self._resolve(event)
        if not isinstance(key, str):
            raise self.fault(f"the key {event.value:.60} is not a string", event, "quote it")
        if key in level.keys:
            first = level.keys[key]
            where = f"line {first.line + 1}, column {first.column + 1}"
            message = f"duplicate key {key!r:.60}, first at {where}"
            raise self.fault(message, event, "keep one")
        fault = string_fault(key)
        if fault:
            raise self.fault(f"{fault} in a key", event, "remove it")
        level.keys[key] = event.start_mark
        level.key, level.has_key = key, True

    def _expect_value(self, event: Any) -> None:
        level = self.levels[-1] if self.levels else None
        if level is not None and isinstance(level.value, dict) and not level.has_key:
            raise self.fault("a key that is not a string", event, "quote it")
        if self.places is not None:
            self.places.setdefault(self.pointer(), event.start_mark.index)

    def _note_anchor(self, event: Any) -> None:
        if self.aliases is not None and event.anchor is not None:
            self.anchored[event.anchor] = self.pointer()

    def _put(self, value: Any, size: int, height: int, anchor: str | None, event: Any) -> None:
        if anchor is not None:
            self.anchors[anchor] = (value, size, height)
        if not self.levels:
            self.roots.append(value)
            return
        level = self.levels[-1]
        level.size += size
        level.height = max(level.height, height + 1)
        if isinstance(level.value, list):
            level.value.append(value)
        elif level.merging:
            self._merge(level, value, event)
        else:
            level.value[level.key] = value
        level.has_key = level.merging = False

    def _merge(self, level: _Open, value: Any, event: Any) -> None:
        sources = value if isinstance(value, list) else [value]
        if not all(isinstance(source, dict) for source in sources):
            raise self.fault("<< merges mappings alone", event)
        level.merged += sources

    def _resolve(self, event: Any) -> Any:
        text = event.value
        if event.tag in _STR or (event.tag is None and not event.implicit[0]):
            return text
        if event.tag is not None:
            return self._typed(event)
        if text in _NULLS:
            return None
        if text in _BOOLS:
            return _BOOLS[text]
        return self._number(event)

    def _number(self, event: Any) -> Any:
        """The number that a plain scalar is, or its text."""
        text = event.value
        if _OCTAL.fullmatch(text) or _HEX.fullmatch(text):
            if len(text) > _MOST_DIGITS:
                raise self.fault("a number with thousands of digits", event)
            return int(text, 0)
        if _NO_NUMBER.fullmatch(text):
            raise self.fault(f"JSON has no {text}", event, "quote it, if it is a string")
        if not _FLOAT.fullmatch(text):
            return text
        try:
            value = int(text) if _INT.fullmatch(text) else float(text)
        except ValueError:
            raise self.fault("a number with thousands of digits", event) from None
        if isinstance(value, float) and math.isinf(value):
            raise self.fault(f"the number {text:.40} is too large", event)
        return value

    def _typed(self, event: Any) -> Any:
        convert = _TYPED.get(event.tag)
        if convert is None:
            raise self.fault(f"the tag {event.tag} builds no plain value", event, "remove it")
        try:
            if len(event.value) > _MOST_DIGITS:
                raise ValueError(event.value)
            value = convert(event.value)
            if isinstance(value, float) and not math.isfinite(value):
                raise ValueError(event.value)
            return value
        except (ValueError, KeyError):
            raise self.fault(f"{event.value!r:.40} is not what its tag says", event) from None


def _events(text: str, file: str) -> Iterator[Any]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        yield from yaml.parse(text, Loader=loader)
    except yaml.MarkedYAMLError as err:
        mark = err.problem_mark
        place = Place(file, mark.line + 1, mark.column + 1) if mark else Place(file)
        raise InputError(f"invalid YAML: {err.problem}", place=place) from None
    except yaml.YAMLError:
        raise _unreadable(text, file) from None


def _unreadable(text: str, file: str) -> InputError:
    """YAML forbids most control characters; the parser does not say well where one stands."""
    bad = _FORBIDDEN.search(text)
    if bad is None:
        return InputError("invalid YAML", place=Place(file))
    line, column = line_column(text, bad.start())
    return InputError(
        f"invalid YAML: the character U+{ord(bad.group()):04X}",
        place=Place(file, line, column),
        mend="remove it",
    )


def _read(
    text: str,
    file: str,
    places: dict[str, int] | None = None,
    aliases: dict[str, str] | None = None,
) -> _Reader:
    import yaml

    reader = _Reader(file, places, aliases)
    for event in _events(text, file):
        if isinstance(event, yaml.ScalarEvent):
            reader.scalar(event)
        elif isinstance(event, yaml.AliasEvent):
            reader.alias(event)
        elif isinstance(event, yaml.MappingStartEvent):
            reader.begin({}, event)
        elif isinstance(event, yaml.SequenceStartEvent):
            reader.begin([], event)
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            reader.end(event)
        elif isinstance(event, yaml.DocumentStartEvent):
            reader.starts.append(event)
    return reader


def parse_yaml(text: str, file: str) -> Document:
    """Parse one YAML document.

    Raises:
        InputError: invalid YAML, several documents, a duplicate or non-string key, a tag
            that builds an object, aliases that explode, nesting beyond ``MAX_DEPTH``.
    """
    reader = _read(text, file)
    if not reader.starts:
        raise InputError("the input is empty", place=Place(file))
    if len(reader.starts) > 1:
        message = f"{len(reader.starts)} YAML documents where one is expected"
        raise reader.fault(message, reader.starts[1], "split the file")
    return Document(reader.roots[0], file, text, "yaml")


def parse_yaml_stream(text: str, file: str) -> list[Document]:
    """Parse all documents of a YAML stream; each keeps its own piece of the text.

    Raises:
        InputError: as ``parse_yaml``, but for the number of documents.
    """
    reader = _read(text, file)
    starts = [event.start_mark for event in reader.starts]
    ends = [mark.index for mark in starts[1:]] + [len(text)]
    # The first piece begins at the top: comments above the first document belong to it.
    begins = [(0, 1)] + [(mark.index, mark.line + 1) for mark in starts[1:]]
    return [
        Document(value, file, text[begin:end], "yaml", line)
        for value, (begin, line), end in zip(reader.roots, begins, ends, strict=False)
    ]


@lru_cache(maxsize=2)
def yaml_places(text: str) -> tuple[dict[str, int], dict[str, str]]:
    """Where every value of a valid document starts, by pointer; and where aliases lead.

    The second maps the pointer of an alias to that of the value it stands for. Kept, for
    reading YAML is slow and findings are many; not to be changed.
    """
    places: dict[str, int] = {}
    aliases: dict[str, str] = {}
    _read(text, "", places, aliases)
    return places, aliases


def yaml_offset(text: str, pointer: str) -> int:
    """The offset of the value at a pointer, of the nearest one above it if there is none."""
    places, _ = yaml_places(text)
    while pointer and pointer not in places:
        pointer = pointer.rpartition("/")[0]
    return places.get(pointer, 0)
