"""Why a style cannot read a text."""

from __future__ import annotations


class CutError(Exception):
    """The text ends inside a value."""


class BrokenError(Exception):
    """The text is no value of this style."""
