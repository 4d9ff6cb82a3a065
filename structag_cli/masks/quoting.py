"""Tokens and numbers as people read them."""

from __future__ import annotations


def piece(data: bytes) -> str:
    """A token's bytes, quoted: spaces and line ends seen, no control characters."""
    text = data.decode("utf-8", "backslashreplace")
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return f"\u2039{shown}\u203a"


def count(number: int) -> str:
    """A number with its thousands apart."""
    return f"{number:,}".replace(",", " ")


def shorten(text: str, limit: int) -> str:
    """At most ``limit`` characters, the cut shown."""
    return text if len(text) <= limit else text[: limit - 3] + "..."
