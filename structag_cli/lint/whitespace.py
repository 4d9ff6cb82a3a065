"""Arguments for which a style leaves white space alone."""

from __future__ import annotations

from typing import Any

_BRACKETS = {"json", "gemma"}


def only_space(schema: Any, style: str) -> bool:
    """Whether white space may stand for the arguments for ever, with nothing else to write.

    Measured on xgrammar 0.2.9: the XML styles write an object without properties as
    nothing, with any white space around it; JSON and Gemma's style write brackets.
    """
    if style in _BRACKETS or not isinstance(schema, dict):
        return False
    if schema.get("type") != "object" or schema.get("properties"):
        return False
    more = schema.get("additionalProperties")
    others = ("patternProperties", "$ref", "anyOf", "oneOf", "allOf", "required")
    return more is not True and not isinstance(more, dict) and not any(map(schema.get, others))
