"""Draws the outline of a tag as a tree."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from structag_cli.emit.outline import Line, outline
from structag_cli.emit.words import printable

if TYPE_CHECKING:
    from rich.text import Text

WIDTH = 100
"""Columns where neither the caller nor ``COLUMNS`` says otherwise."""

_LITERAL = re.compile(r"`[^`]*`")
_GUIDE = 4
"""Columns that each level of the tree takes."""
_NARROWEST = 40
"""Columns left for text at the deepest level."""


def tree(
    tag: Mapping[str, Any], *, show_all: bool = False, color: bool = False, width: int | None = None
) -> str:
    """The tag as a tree.

    Args:
        tag: the structural tag, of either form.
        show_all: every tag, property and level.
        color: with ANSI colours.
        width: columns; by default ``COLUMNS``, else 100.
    """
    from io import StringIO

    from rich.console import Console
    from rich.tree import Tree

    top = outline(tag, show_all=show_all)
    drawn = Tree(_text(top), guide_style="dim")
    deepest = 0
    pending = [(top, drawn, 1)]
    while pending:
        line, branch, depth = pending.pop()
        deepest = max(deepest, depth)
        pending += [(below, branch.add(_text(below)), depth + 1) for below in line.below]
    columns = max(width or _columns(), deepest * _GUIDE + _NARROWEST)
    console = Console(
        file=StringIO(),
        width=columns,
        height=24,
        color_system="standard" if color else None,
        force_terminal=color,
        no_color=not color,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )
    console.print(drawn)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(row.rstrip() for row in text.splitlines())


def _columns() -> int:
    columns = os.environ.get("COLUMNS", "")
    return int(columns) if columns.isdigit() and int(columns) > 0 else WIDTH


def _text(line: Line) -> Text:
    """A line with its literals, its node type and its faults set apart."""
    from rich.text import Text

    text = Text()
    if line.wrong:
        text.append("!! ", style="bold red")
    words = printable(line.text).replace("\n", "\\n")
    at = 0
    for match in _LITERAL.finditer(words):
        text.append(words[at : match.start()])
        text.append(match.group(), style="green")
        at = match.end()
    text.append(words[at:])
    if line.kind:
        text.append(f"  [{line.kind}]", style="dim")
    return text
