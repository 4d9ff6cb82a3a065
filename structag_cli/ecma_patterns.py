r"""The regular expressions of schemas, which are ECMA-262's and not Python's.

JSON Schema asks for ECMA-262's dialect. ``re`` reads ``\w``, ``\d`` and ``\b`` by Unicode
where ECMA-262 knows ASCII alone, lets ``$`` stand before a newline at the end, and ``.``
match a carriage return: these are spelt out before a pattern is compiled. ``re`` also refuses
named groups (``(?<year>...)``) and properties (``\p{Lu}``); the ``regex`` package, which
transformers brings, reads both.

Some patterns take exponential time (``(a|aa)+$``), and nothing stops ``re``. So whatever may
be slow is matched by ``regex``, which gives up when its time is over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from structag_cli.pattern_size import written_out

SECONDS = 0.5
"""The longest that one text may be matched."""

_PATIENCE = 3
"""A pattern that was too slow this many times is not tried again."""

_LARGEST = 500_000
"""Pieces of a pattern, its repetitions written out; ``regex`` compiles so many in a second."""

_SHORT = 1000
_REPEATED = re.compile(r"[*+{]")
_REPEATED_GROUP = re.compile(r"\)[*+?{]")

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


class SlowPattern(Exception):
    """Whether a text matches cannot be told in time."""


@lru_cache(maxsize=2048)
def searcher(pattern: str) -> Callable[[str], Any]:
    """What finds a pattern anywhere in a text, or gives ``None``.

    The function that it returns raises ``SlowPattern`` where the search takes too long.

    Raises:
        re.error: neither package can read the pattern.
        SlowPattern: it is too large for the only one that can.
    """
    return _matcher(pattern, "search")


@lru_cache(maxsize=512)
def full_matcher(pattern: str) -> Callable[[str], Any]:
    """As ``searcher``, for the whole text."""
    return _matcher(pattern, "fullmatch")


def _matcher(pattern: str, how: str) -> Callable[[str], Any]:
    timed = _Timed(pattern, how)
    try:
        plain = getattr(re.compile(as_python(pattern)), how)
    except (re.error, RecursionError, OverflowError) as err:
        timed.check(err)
        return timed
    if _REPEATED_GROUP.search(pattern) or len(_REPEATED.findall(pattern)) > 2:
        return timed
    return lambda text: plain(text) if len(text) <= _SHORT else timed(text)


class _Timed:
    """Matches with a limit of time."""

    def __init__(self, pattern: str, how: str) -> None:
        self.pattern = pattern
        self.how = how
        self.found: Any = None
        self.slow = 0

    def __call__(self, text: str) -> Any:
        if self.found is None:
            self.check(None)
        if self.slow < _PATIENCE:
            try:
                return self.found(text, timeout=SECONDS)
            except TimeoutError:
                self.slow += 1
        raise SlowPattern(f"the pattern {self.pattern!r:.80} takes too long to match") from None

    def check(self, err: Exception | None) -> None:
        """Compile; what ``regex`` cannot read is reported as ``re`` reports it."""
        import regex

        if written_out(self.pattern) > _LARGEST:
            raise SlowPattern(f"the pattern {self.pattern!r:.80} is too large")
        try:
            self.found = getattr(regex.compile(as_python(self.pattern)), self.how)
        except (regex.error, RecursionError, OverflowError) as other:
            raise re.error(str(err or other), self.pattern) from None


@lru_cache(maxsize=32)
def reading(kind: Any) -> Any:
    """A ``jsonschema`` validator class that reads patterns by ``searcher``."""
    from jsonschema.validators import extend

    own = {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
    }
    made: Any = extend
    return made(kind, {key: rule for key, rule in own.items() if key in kind.VALIDATORS})


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


def _additional_properties(
    validator: Any, additional: Any, instance: Any, schema: Mapping[str, Any]
) -> Iterator[Any]:
    """As ``jsonschema`` has it, which joins the patterns beside it and searches by ``re``."""
    from jsonschema import Draft202012Validator, ValidationError

    patterns = schema.get("patternProperties")
    if not patterns:
        usual: Any = Draft202012Validator.VALIDATORS["additionalProperties"]
        yield from usual(validator, additional, instance, schema)
        return
    if not validator.is_type(instance, "object"):
        return
    declared = schema.get("properties", {})
    searches = [searcher(pattern) for pattern in patterns]
    extras = [n for n in instance if n not in declared and not any(s(n) for s in searches)]
    if validator.is_type(additional, "object"):
        for name in extras:
            yield from validator.descend(instance[name], additional, path=name)
    elif not additional and extras:
        names = ", ".join(map(repr, sorted(extras)))
        known = ", ".join(map(repr, sorted(patterns)))
        verb = "does" if len(extras) == 1 else "do"
        yield ValidationError(f"{names} {verb} not match any of the regexes: {known}")
