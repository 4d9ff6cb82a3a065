"""Instances written in the argument styles other than JSON."""

from __future__ import annotations

from typing import Any

from structag_cli.emit.examples.trouble import NoExample


_JSON_INSIDE = {
    *("qwen_xml", "minimax_xml", "glm_xml", "deepseek_xml", "deepseek_v4_1_xml"),
    *("cohere_xml", "kimi_k3_xml"),
}
"""Styles whose nested values are JSON."""


def render_arguments(value: Any, schema: Any, style: str, compact: bool) -> str:
    """The arguments as a model of that style writes them.

    Raises:
        NoExample: the style cannot write them, or there is no such style.
    """
    from structag_cli.reader.styles import render

    if not isinstance(value, dict):
        raise NoExample(f"arguments in style {style} that are no object")
    if compact and style in _JSON_INSIDE:
        # xgrammar wants a constant container without white space, templates write some.
        raise NoExample(f"a constant object or array in style {style}")
    if style == "cohere_xml" and any(isinstance(v, (dict, list)) for v in value.values()):
        raise NoExample("nested values in style cohere_xml")
    try:
        return render(style, value, schema)
    except KeyError:
        raise NoExample(f"the style {style!r}") from None
