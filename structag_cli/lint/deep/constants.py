"""Constant objects and arrays, which xgrammar 0.2.9 takes in one spelling: without spaces.

A model writes spaces there, and lint reports that once, where the constant stands. Elsewhere
a text has to spell it as the grammar does: else each text with a required constant in it
would be refused, and nothing else would be seen in that schema.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from structag_cli.json_values import as_list
from structag_cli.lint.nodes import subschemas

_MOST = 200


def constant_values(node: Any) -> list[Any]:
    """The objects and arrays that a schema's own ``const`` and ``enum`` hold."""
    values = [node.get("const"), *as_list(node.get("enum"))]
    return [value for value in values if isinstance(value, (dict, list))]


Spelling = Callable[[Any], str]


def spaced(value: Any) -> str:
    """As a model writes JSON."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def compact(value: Any) -> str:
    """As a grammar takes a constant."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class Constants:
    """The constant objects and arrays of a schema, in both spellings.

    ``written`` is how a style writes such a value, ``taken`` how its grammar wants it.
    """

    def __init__(self, schema: Any, written: Spelling = spaced, taken: Spelling = compact) -> None:
        held = (value for node, _ in subschemas(schema) for value in constant_values(node))
        pairs = dict(_pairs(held, written, taken))
        # Longer ones first: a constant may stand in another.
        self._pairs = sorted(list(pairs.items())[:_MOST], key=lambda pair: -len(pair[0]))

    def __bool__(self) -> bool:
        return bool(self._pairs)

    def compact(self, text: str) -> str:
        """A text with every constant as the grammar takes it."""
        for written, taken in self._pairs:
            text = text.replace(written, taken)
        return text


def _pairs(values: Iterator[Any], written: Spelling, taken: Spelling) -> Iterator[tuple[str, str]]:
    for value in values:
        try:
            pair = written(value), taken(value)
        except (ValueError, TypeError, RecursionError):
            continue
        if pair[0] != pair[1]:
            yield pair
