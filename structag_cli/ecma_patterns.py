r"""The regular expressions of schemas, which are ECMA-262's and not Python's.

JSON Schema asks for ECMA-262's dialect. ``re`` reads ``\w``, ``\d`` and ``\b`` by Unicode
where ECMA-262 knows ASCII alone, lets ``$`` stand before a newline at the end, and ``.``
match a carriage return: these are spelt out before a pattern is compiled. ``re`` also refuses
named groups (``(?<year>...)``) and properties (``\p{Lu}``); the ``regex`` package, which
transformers brings, reads both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

_WORD, _NO_WORD = "A-Za-z0-9_", r"\x00-/:-@\[-\^`{-\U0010ffff"
_SPACE = r"\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_NO_SPACE = (
    r"\x00-\x08\x0e-\x1f!-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e"
    r"\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\U0010ffff"
)
_CLASSES = {
    "w": _WORD,
    "W": _NO_WORD,
    "d": "0-9",
    "D": r"\x00-/:-\U0010ffff",
    "s": _SPACE,
    "S": _NO_SPACE,
}
_EDGE = f"(?<![{_WORD}])(?=[{_WORD}])|(?<=[{_WORD}])(?![{_WORD}])"
_NO_EDGE = f"(?<![{_WORD}])(?![{_WORD}])|(?<=[{_WORD}])(?=[{_WORD}])"
_OUTSIDE = {
    **{f"\\{letter}": f"[{members}]" for letter, members in _CLASSES.items()},
    r"\b": f"(?:{_EDGE})",
    r"\B": f"(?:{_NO_EDGE})",
    "$": r"\Z",
    ".": r"[^\n\r]",  # the two Unicode separators are let through: engines differ
}
_INSIDE = {f"\\{letter}": members for letter, members in _CLASSES.items()}
_PART = re.compile(r"\\.|.", re.DOTALL)


@lru_cache(maxsize=2048)
def as_python(pattern: str) -> str:
    """A pattern of ECMA-262 in Python's spelling, so far as the two read it differently."""
    found: list[str] = []
    inside = False
    for part in _PART.findall(pattern):
        found.append((_INSIDE if inside else _OUTSIDE).get(part, part))
        inside = part != "]" if inside else part == "["
    return "".join(found)


@lru_cache(maxsize=2048)
def searcher(pattern: str) -> Callable[[str], Any]:
    """What finds a pattern anywhere in a text, or gives ``None``.

    Raises:
        re.error: neither package can read the pattern.
    """
    spelt = as_python(pattern)
    try:
        return re.compile(spelt).search
    except re.error as err:
        import regex

        try:
            found: Callable[[str], Any] = regex.compile(spelt).search
        except regex.error:
            raise err from None
        return found


@lru_cache(maxsize=32)
def reading(kind: Any) -> Any:
    """A ``jsonschema`` validator class that reads patterns by ``searcher``."""
    from jsonschema.validators import extend

    made: Any = extend
    return made(kind, {"pattern": _pattern, "patternProperties": _pattern_properties})


def _pattern(validator: Any, pattern: str, instance: Any, _: Any) -> Iterator[Any]:
    from jsonschema import ValidationError

    if validator.is_type(instance, "string") and not searcher(pattern)(instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(
    validator: Any, patterns: Mapping[str, Any], instance: Any, _: Any
) -> Iterator[Any]:
    if not validator.is_type(instance, "object"):
        return
    for pattern, schema in patterns.items():
        search = searcher(pattern)
        for name, value in instance.items():
            if search(name):
                yield from validator.descend(value, schema, path=name, schema_path=pattern)
