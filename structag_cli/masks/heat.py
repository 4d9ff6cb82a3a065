"""Colours of a walk: how free each token was."""

from __future__ import annotations

import math
from typing import Any

from structag_cli.masks.walk import Row, Walk

FORCED = "#c7d9f2"
REFUSED = "#e5484d"
UNJUDGED = "#d9d9d9"
_SCALE = ("#dff3e4", "#c2e8cc", "#f3ecc0", "#f8d9a8", "#f5c08a")


def colour(row: Row, size: int) -> str:
    """A background: blue when forced, green for few choices, orange for many, red refused."""
    if row.allowed is None:
        return UNJUDGED
    if not row.allowed:
        return REFUSED
    if row.forced or row.count <= 1:
        return FORCED
    share = math.log(row.count) / math.log(max(size, 3))
    return _SCALE[min(int(share * len(_SCALE)), len(_SCALE) - 1)]


def strip(walk: Walk, size: int) -> Any:
    """The output as one rich text, each token on its colour."""
    from rich.text import Text

    text = Text()
    for row in walk.rows:
        shown = row.text.replace("\n", "\u21b5\n")
        text.append(shown, style=f"#1a1a1a on {colour(row, size)}")
    return text


def legend() -> list[tuple[str, str]]:
    """Colour and meaning."""
    return [
        (FORCED, "forced: one token allowed"),
        (_SCALE[0], "few allowed"),
        (_SCALE[2], "some allowed"),
        (_SCALE[-1], "nearly all allowed"),
        (REFUSED, "refused"),
        (UNJUDGED, "after the refusal"),
    ]
