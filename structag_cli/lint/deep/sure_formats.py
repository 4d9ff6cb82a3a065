"""Formats judged by their RFCs where the checkers of ``jsonschema`` are lenient."""

from __future__ import annotations

import re

from jsonschema import FormatChecker
from jsonschema.exceptions import FormatError

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ANY_LETTER = {"regex", "json-pointer", "relative-json-pointer"}
"""Formats in which control characters may stand (RFC 6901 for pointers)."""

_NO_LITERAL = re.compile(r"[\x00-\x20\x7f\"'<>\\^`|]")
"""What RFC 6570, section 2.1, keeps out of a URI template's literals."""


class SureFormats(FormatChecker):
    """Passes only what certainly has its format: what says that a grammar refuses too much.

    Checkers that end a pattern with ``$`` let a last newline pass (``hostname``, ``time``),
    and the one of ``uri-template`` takes any text for a literal.
    """

    def __init__(self, plain: FormatChecker) -> None:
        super().__init__(formats=())
        self._plain = plain

    def check(self, instance: object, format: str) -> None:
        """As the plain checker, and stricter with strings.

        Raises:
            FormatError: the instance has not, or not certainly, this format.
        """
        self._plain.check(instance, format)
        if not isinstance(instance, str) or format not in self._plain.checkers:
            return
        if format == "uri-template":
            doubtful = _NO_LITERAL.search(instance)
        else:
            doubtful = None if format in _ANY_LETTER else _CONTROL.search(instance)
        if doubtful:
            raise FormatError(f"{instance!r} is not a {format!r}")
