"""The difference between two texts as a patch."""

from __future__ import annotations

import difflib


def unified(old: str, new: str, path: str) -> str:
    """A unified diff that ``patch -p0`` takes; empty where nothing differs."""
    lines = difflib.unified_diff(_lines(old), _lines(new), path, path)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _lines(text: str) -> list[str]:
    """Lines as ``patch`` counts them: other characters that break lines belong to them."""
    found = [f"{line}\n" for line in text.split("\n")]
    found[-1] = found[-1][:-1]
    return found if found[-1] else found[:-1]
