"""Reading values that a stranger wrote: any key may hold any type."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def text_at(node: Mapping[str, Any], key: str) -> str:
    """The text at a key, empty where there is none.

    What is looked up in a set must be hashable, and a list where a text belongs is not.
    """
    value = node.get(key)
    return value if isinstance(value, str) else ""


def as_list(value: Any) -> list[Any]:
    """A list; anything else is an empty one."""
    return value if isinstance(value, list) else []


def as_mapping(value: Any) -> Mapping[str, Any]:
    """An object; anything else is an empty one."""
    return value if isinstance(value, Mapping) else {}


def finite(value: Any) -> Any:
    """A number that is one: no boolean, not infinite; integers may be larger than floats."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None
