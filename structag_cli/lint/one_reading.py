"""Slips in a JSON Schema that can be read in one way alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from structag_cli.lint.fixes.edits import Edit, Remove, Replace
from structag_cli.lint.nodes import subschemas

_TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")
_PYTHON = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
}
_COUNTS = (
    *("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
    *("minContains", "maxContains"),
)
_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_SWITCHES = ("additionalProperties", "uniqueItems", "unevaluatedProperties", "unevaluatedItems")
_COUNT = re.compile(r"0|[1-9][0-9]{0,8}")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,6})?")


def plain_slips(schema: Mapping[str, Any]) -> Iterator[Edit]:
    """Edits that mend them, by pointers into the schema."""
    for node, pointer in subschemas(schema):
        yield from _types(node.get("type"), f"{pointer}/type")
        for words, meant in (
            (_COUNTS, quoted_count),
            (_NUMBERS, _number),
            (_SWITCHES, quoted_switch),
        ):
            for keyword in words:
                value = meant(node.get(keyword))
                if value is not None:
                    yield Replace(f"{pointer}/{keyword}", value)
        yield from _repeated(node.get("required"), f"{pointer}/required")


def _types(value: Any, pointer: str) -> Iterator[Edit]:
    if isinstance(value, list):
        words = [_type(each) or each for each in value]
        for index, word in enumerate(words):
            if value[index] != word and words.count(word) == 1:
                yield Replace(f"{pointer}/{index}", word)
    elif (meant := _type(value)) is not None:
        yield Replace(pointer, meant)


def _type(value: Any) -> str | None:
    """The type that a word in capitals, or of Python, stands for."""
    if not isinstance(value, str) or value in _TYPES:
        return None
    word = value.lower()
    return word if word in _TYPES else _PYTHON.get(word)


def quoted_count(value: Any) -> int | None:
    """How many a text says, if it is plain digits."""
    return int(value) if isinstance(value, str) and _COUNT.fullmatch(value) else None


def _number(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else None


def quoted_switch(value: Any) -> bool | None:
    """What a text for true or false says."""
    words = {"true": True, "false": False}
    return words.get(value.lower()) if isinstance(value, str) else None


def _repeated(value: Any, pointer: str) -> Iterator[Edit]:
    """The first name that stands in ``required`` already; more are found when it is gone."""
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        for index, name in enumerate(value):
            if name in value[:index]:
                yield Remove(f"{pointer}/{index}")
                return
