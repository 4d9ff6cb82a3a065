"""Scalars as text, written as those around them are."""

from __future__ import annotations

import json
import re
from typing import Any

_FLOW_SIGNS = re.compile(r"[,\[\]{}]")


def json_scalar(value: Any) -> str:
    """A scalar of JSON."""
    return json.dumps(value, ensure_ascii=False)


def yaml_scalar(value: Any, style: str, *, flow: bool) -> str:
    """A scalar of YAML: a string in the given quotes (none: plain where that is the same)."""
    if not isinstance(value, str):
        return json_scalar(value)
    if style == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if not style and not (flow and _FLOW_SIGNS.search(value)):
        from structag_cli.emit.yaml_text import yaml_text

        plain = yaml_text(value).strip()
        if "\n" not in plain:
            return plain
    return _double(value)


def _double(value: str) -> str:
    """In double quotes, on one line."""
    import yaml

    text = yaml.dump(value, default_style='"', allow_unicode=True, width=float("inf"))
    return str(text).strip()
