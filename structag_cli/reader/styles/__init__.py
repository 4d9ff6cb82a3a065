"""Argument styles, a module each: arguments to text, and text to arguments."""

from __future__ import annotations

from typing import Any, Protocol

from structag_cli.reader.styles import cohere, flat, gemma, json_style, minimax_m3
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
    return _NAMED[name]


def style_within(name: str, begin: str, end: str) -> StyleModule:
    """The style as it is laid out between these texts of a format."""
    style = style_named(name)
    return style.laid_out(begin, end) if isinstance(style, flat.FlatStyle) else style


_NAMED: dict[str, StyleModule] = {
    "json": json_style.JSON,
    "gemma": gemma.GEMMA,
    "cohere_xml": cohere.COHERE,
    "minimax_m3_xml": minimax_m3.MINIMAX_M3,
    **flat.FLAT,
}


def render(style: str, arguments: dict[str, Any], schema: Any = True) -> str:
    """Arguments as text of a style."""
    return style_named(style).render(arguments, schema)
