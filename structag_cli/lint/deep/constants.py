"""Constant objects and arrays, which xgrammar 0.2.9 takes in one spelling: without spaces.

A model writes spaces there, and lint reports that once, where the constant stands. Elsewhere
a text has to spell it as the grammar does: else each text with a required constant in it
would be refused, and nothing else would be seen in that schema.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from structag_cli.json_values import as_list
from structag_cli.lint.nodes import subschemas

_MOST = 200


def constant_values(node: Any) -> list[Any]:
    """The objects and arrays that a schema's own ``const`` and ``enum`` hold."""
    values = [node.get("const"), *as_list(node.get("enum"))]
    return [value for value in values if isinstance(value, (dict, list)) and value]


class Constants:
    """The constant objects and arrays of a schema, in both spellings."""

    def __init__(self, schema: Any) -> None:
        pairs = {_spaced(v): _compact(v) for node, _ in subschemas(schema) for v in _held(node)}
        # Longer ones first: a constant may stand in another.
        self._pairs = sorted(list(pairs.items())[:_MOST], key=lambda pair: -len(pair[0]))

    def __bool__(self) -> bool:
        return bool(self._pairs)

    def compact(self, text: str) -> str:
        """JSON text with every constant written without spaces."""
        for spaced, compact in self._pairs:
            text = text.replace(spaced, compact)
        return text


def _held(node: Any) -> Iterator[Any]:
    for value in constant_values(node):
        try:
            if _spaced(value) != _compact(value):
                yield value
        except (ValueError, TypeError, RecursionError):
            continue


def _spaced(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
