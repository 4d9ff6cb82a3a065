"""Reading values that a stranger wrote: any key may hold any type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def text_at(node: Mapping[str, Any], key: str) -> str:
    """The text at a key, empty where there is none.

    What is looked up in a set must be hashable, and a list where a text belongs is not.
    """
    value = node.get(key)
    return value if isinstance(value, str) else ""
