"""Colours of a walk: how free each token was."""

from __future__ import annotations

import math
from typing import Any

from structag_cli.masks.walk import Row, Walk

LEVELS = {
    "forced": ("#c7d9f2", "black on cyan", "forced: one token allowed"),
    "few": ("#dff3e4", "black on green", "few allowed"),
    "some": ("#f3ecc0", "black on yellow", "some allowed"),
    "most": ("#f5c08a", "black on bright_magenta", "nearly all allowed"),
    "refused": ("#e5484d", "bold white on red", "refused"),
    "after": ("#d9d9d9", "black on white", "after the refusal"),
}
"""Level of freedom to: colour in pictures, style in a terminal of 16 colours, meaning."""

FORCED = LEVELS["forced"][0]
REFUSED = LEVELS["refused"][0]
FREE = LEVELS["most"][0]


def level(row: Row, size: int) -> str:
    """How free a token was; few, some and most are thirds of the vocabulary's logarithm."""
    if row.allowed is None:
        return "after"
    if not row.allowed:
        return "refused"
    if row.forced or row.count <= 1:
        return "forced"
    share = math.log(row.count) / math.log(max(size, 3))
    return ("few", "some", "most")[min(int(share * 3), 2)]


def colour(row: Row, size: int) -> str:
    """The background of a token in a picture."""
    return LEVELS[level(row, size)][0]


def strip(walk: Walk, size: int) -> Any:
    """The output as one rich text, each token on its colour, and the legend below."""
    from rich.text import Text

    text = Text()
    for row in walk.rows:
        shown = "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in row.text)
        text.append(shown.replace("\n", "\u21b5\n"), style=LEVELS[level(row, size)][1])
    text.append("\n")
    for _colour, style, meaning in LEVELS.values():
        text.append(f" {meaning} ", style=style)
        text.append(" ")
    return text


def legend() -> list[tuple[str, str]]:
    """Colour and meaning, for pictures."""
    return [(fill, meaning) for fill, _style, meaning in LEVELS.values()]
