r"""The regular expressions of schemas, of which Python's ``re`` cannot read all.

JSON Schema asks for ECMA-262's dialect. ``re`` refuses its named groups (``(?<year>...)``)
and properties (``\p{Lu}``); the ``regex`` package, which transformers brings, reads both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=2048)
def searcher(pattern: str) -> Callable[[str], Any]:
    """What finds a pattern anywhere in a text, or gives ``None``.

    Raises:
        re.error: neither package can read the pattern.
    """
    try:
        return re.compile(pattern).search
    except re.error as err:
        import regex

        try:
            found: Callable[[str], Any] = regex.compile(pattern).search
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
