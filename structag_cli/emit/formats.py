"""A tag as text: JSON, YAML, a tree for people, the grammar that xgrammar makes of it."""

from __future__ import annotations

import json
from typing import Any

NO_TAG = "no structural tag (null): the engine is not constrained by one"


def emit(
    value: Any,
    format: str,
    *,
    show_all: bool = False,
    color: bool = False,
    width: int | None = None,
) -> str:
    """Write a tag, or any other JSON value, in a format.

    Args:
        value: the tag as JSON values, or ``None`` for no tag. ``json`` and ``yaml`` take
            anything; ``tree`` and ``ebnf`` look for the tag inside an engine's payload.
        format: ``json``, ``yaml``, ``tree`` or ``ebnf``.
        show_all: show every tag and property in the tree, however many.
        color: use ANSI colours in the tree.
        width: columns of the tree; by default ``COLUMNS``, else 100.

    Raises:
        EngineError: xgrammar refuses the tag (``ebnf``).
        ValueError: there is no such format, or no tag in the value.
    """
    if format == "json":
        return json.dumps(value, ensure_ascii=False, indent=2)
    if format == "yaml":
        from structag_cli.emit.yaml_text import yaml_text

        return yaml_text(value)
    tag = _tag_in(value)
    if format == "tree":
        from structag_cli.emit.tree import tree

        return NO_TAG if tag is None else tree(tag, show_all=show_all, color=color, width=width)
    if format == "ebnf":
        return f"# {NO_TAG}" if tag is None else _ebnf(tag)
    raise ValueError(f"no format {format!r}")


def _tag_in(value: Any) -> dict[str, Any] | None:
    from structag_cli.emit.finding import find_tag

    found = find_tag(value)
    if found is None:
        raise ValueError("no structural tag in the value")
    return found.tag


def _ebnf(tag: dict[str, Any]) -> str:
    from structag_cli.emit.anatomy import modern
    from structag_cli.engine.text import grammar_text

    return grammar_text(modern(tag))
