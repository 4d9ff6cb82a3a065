"""Argument styles, a module each: arguments to text, and text to arguments."""

from __future__ import annotations

from typing import Any, Protocol

from structag_cli.reader.styles import flat, gemma, json_style, minimax_m3
from structag_cli.reader.values import Parsed


class StyleModule(Protocol):
    """What each style offers."""

    def render(self, arguments: dict[str, Any], schema: Any) -> str:
        """The arguments as text."""

    def parse(self, text: str, at: int, schema: Any) -> Parsed:
        """The arguments that stand in ``text`` from ``at`` on."""


def style_named(name: str) -> StyleModule:
    """The style of a grammar's ``call.style``.

    Raises:
        KeyError: there is none.
    """
    if name == "json":
        return json_style.JSON
    if name == "gemma":
        return gemma.GEMMA
    if name == "minimax_m3_xml":
        return minimax_m3.MINIMAX_M3
    return flat.FLAT[name]


def render(style: str, arguments: dict[str, Any], schema: Any = True) -> str:
    """Arguments as text of a style."""
    return style_named(style).render(arguments, schema)
