"""Which node of a schema keeps it from compiling."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

from structag_cli.errors import EngineError
from structag_cli.lint.deep.matching import Matching
from structag_cli.lint.deep.view import resolve
from structag_cli.lint.nodes import children

_SECONDS = 1.0
_DEFINITIONS = ("$defs", "definitions", "$schema")


def failing_node(schema: Any, style: str, error: str) -> str:
    """The pointer of the innermost node that fails alone with the same error."""
    until = time.perf_counter() + _SECONDS
    root, pointer, passed = schema, "", {""}
    while True:
        found = next(
            (
                (node, at)
                for node, at in (resolve(*each, root) for each in _below(schema, pointer, root))
                if isinstance(node, Mapping)  # a reference may lead anywhere
                and at not in passed  # nor a reference that leads back
                and time.perf_counter() < until
                and _error_alone(node, root, style) == error
            ),
            None,
        )
        if found is None:
            return pointer
        schema, pointer = found
        passed.add(pointer)


def _below(schema: Any, pointer: str, root: Any) -> Iterator[tuple[Any, str]]:
    for node, at in children(schema, pointer):
        if isinstance(node, Mapping) and not (schema is root and _is_definition(at)):
            yield node, at


def _is_definition(pointer: str) -> bool:
    return pointer.split("/")[1] in _DEFINITIONS


def _error_alone(node: Any, root: Any, style: str) -> str:
    alone: dict[str, Any] = {key: root[key] for key in _DEFINITIONS if key in root}
    alone |= {"type": "object", "properties": {"v": node}, "required": ["v"]}
    try:
        Matching(alone, style)
    except EngineError as err:
        return err.message
    return ""
