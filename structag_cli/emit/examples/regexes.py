"""A short text that matches a regular expression in full, as xgrammar anchors it.

Walks the parse tree of Python's own ``re``. A pattern that Python cannot parse, or
whose match cannot be told for certain (word boundaries, back references), gives none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from structag_cli.ecma_patterns import SlowPattern, full_matcher
from structag_cli.emit.examples.trouble import NoExample

try:
    from re import _parser as sre  # type: ignore[attr-defined]
except ImportError:  # Python 3.10
    import sre_parse as sre

_PREFERRED = "aA1x0Z_-. @/:,+b2#=()[]{}<>!?*&%$;'|~^`"
_REPEATS = (1, 0, 2, 3, 4, 5, 8, 10, 12, 16, 20, 24, 32, 36, 40, 64, 128)
_LONGEST = 4096
_PIECES = 4 * _LONGEST
"""Repetitions in repetitions multiply, even those of nothing."""


def matching_text(pattern: str, fits: Callable[[str], bool] = lambda text: True) -> str:
    """A text that matches the whole pattern and that ``fits``.

    Raises:
        NoExample: none was found, or the pattern cannot be understood.
    """
    try:
        tree = sre.parse(pattern)
        matches = full_matcher(pattern)
    except (re.error, RecursionError, OverflowError, SlowPattern):
        raise NoExample(f"the pattern {pattern!r} is beyond what can be read here") from None
    tried = None
    for repeats in _REPEATS:
        text = "".join(islice(_walk(tree, repeats), _PIECES))
        if text == tried or len(text) > _LONGEST:
            continue
        tried = text
        try:
            if matches(text) and fits(text):
                return text
        except SlowPattern as err:
            raise NoExample(str(err)) from None
    raise NoExample(f"no text found that matches all of the pattern {pattern!r}")


def _walk(items: Iterable[Any], repeats: int) -> Iterator[str]:
    for operator, argument in items:
        yield from _piece(str(operator), argument, repeats)


def _piece(operator: str, argument: Any, repeats: int) -> Iterator[str]:
    """The text of one node of the parse tree."""
    if operator == "LITERAL":
        yield chr(argument)
    elif operator == "ANY":
        yield "a"
    elif operator in ("IN", "NOT_LITERAL"):
        members = argument if operator == "IN" else [("NEGATE", None), ("LITERAL", argument)]
        yield _member([(str(kind), value) for kind, value in members])
    elif operator in ("MAX_REPEAT", "MIN_REPEAT"):
        low, high, item = argument
        times = int(min(max(low, repeats), high))
        if times > _LONGEST:
            raise NoExample(f"a pattern that asks for {times} repetitions")
        for _ in range(times):
            yield ""  # so that a repetition of nothing is counted, too
            yield from _walk(item, repeats)
    elif operator == "SUBPATTERN":
        yield from _walk(argument[-1], repeats)
    elif operator == "BRANCH":
        yield from _walk(argument[1][0], repeats)
    elif (operator == "AT" and "BOUNDARY" not in str(argument)) or operator in (
        "ASSERT",
        "ASSERT_NOT",
    ):
        return
    else:
        what = _BEYOND.get(operator, operator.lower().replace("_", " "))
        raise NoExample(f"a pattern with a {what}")


_BEYOND = {"AT": "word boundary", "GROUPREF": "back reference", "GROUPREF_EXISTS": "condition"}


def _member(members: Sequence[tuple[str, Any]]) -> str:
    """A character of a class, a plain one where there is a choice."""
    negated = bool(members) and members[0][0] == "NEGATE"
    kinds = members[1:] if negated else members
    char: str
    for char in (*_PREFERRED, *_starts(kinds)):
        if any(_in(char, kind, value) for kind, value in kinds) != negated:
            return char
    raise NoExample("a pattern whose character class has no plain character")


def _starts(kinds: Sequence[tuple[str, Any]]) -> Iterator[str]:
    for kind, value in kinds:
        if kind == "LITERAL":
            yield chr(value)
        elif kind == "RANGE":
            yield chr(value[0])


_CATEGORIES = {
    "CATEGORY_DIGIT": r"[0-9]",
    "CATEGORY_NOT_DIGIT": r"[^0-9]",
    "CATEGORY_WORD": r"[A-Za-z0-9_]",
    "CATEGORY_NOT_WORD": r"[^A-Za-z0-9_]",
    "CATEGORY_SPACE": r"[ \t\n\r\f\v]",
    "CATEGORY_NOT_SPACE": r"[^ \t\n\r\f\v]",
}


def _in(char: str, kind: str, value: Any) -> bool:
    if kind == "LITERAL":
        return ord(char) == int(value)
    if kind == "RANGE":
        return bool(value[0] <= ord(char) <= value[1])
    pattern = _CATEGORIES.get(str(value))
    return pattern is not None and re.fullmatch(pattern, char) is not None
