"""Instances written in the argument styles other than JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from structag_cli.emit.examples.scalars import FORMATS
from structag_cli.emit.examples.trouble import NoExample
from structag_cli.json_values import text_at

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
    if style == "cohere_xml":
        _check_cohere(value, schema)
    try:
        return render(style, value, schema)
    except KeyError:
        raise NoExample(f"the style {style!r}") from None


def _check_cohere(value: dict[str, Any], schema: Any) -> None:
    """Refuse what xgrammar 0.2.9 wants otherwise than it is written here."""
    if any(isinstance(item, (dict, list)) for item in value.values()):
        raise NoExample("nested values in style cohere_xml")
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    for sub in properties.values() if isinstance(properties, Mapping) else ():
        if isinstance(sub, Mapping) and "format" in sub and text_at(sub, "format") not in FORMATS:
            raise NoExample(f"the format {sub['format']!r} in style cohere_xml")
