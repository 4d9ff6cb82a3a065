"""The server's key: read from the environment, sent in one header, shown nowhere."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from structag_cli.errors import UsageError

REDACTED = "[redacted]"
_SHORTEST = 4
"""A shorter key is a placeholder, and would be found in any text."""
_TELLING = 8
"""So much of a key's beginning is not shown either."""


class Key:
    """A key, or none; removes itself from what a server says."""

    def __init__(self, value: str | None = None) -> None:
        self._value = value or None
        self._spellings = _spellings(value) if value and len(value) >= _SHORTEST else ()

    def __repr__(self) -> str:
        return "Key()" if self._value is None else f"Key({REDACTED})"

    @property
    def headers(self) -> dict[str, str]:
        """The header that carries the key; none without a key."""
        return {} if self._value is None else {"Authorization": f"Bearer {self._value}"}

    def redact(self, text: str) -> str:
        """The text without the key, however it is escaped, and where the end cuts it."""
        clean = self.redact_whole(text)
        cut = self.held_back(clean)
        return clean if cut < _TELLING else clean[:-cut] + REDACTED

    def redact_whole(self, text: str) -> str:
        """The text without the whole key, for a text that goes on."""
        for spelling in self._spellings:
            text = text.replace(spelling, REDACTED)
        return text

    def redact_value(self, value: Any) -> Any:
        """A JSON value without the key, in names of properties too."""
        if isinstance(value, str):
            return self.redact(value)
        if isinstance(value, Mapping):
            return {self.redact(str(k)): self.redact_value(v) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.redact_value(item) for item in value]
        return value

    def held_back(self, text: str) -> int:
        """How many characters at the end of a text may be the beginning of the key."""
        longest = 0
        for spelling in self._spellings:
            for length in range(min(len(spelling) - 1, len(text)), longest, -1):
                if text.endswith(spelling[:length]):
                    longest = length
                    break
        return longest


class Redactor:
    """Takes the key out of a text that comes in pieces, wherever it is cut."""

    def __init__(self, key: Key) -> None:
        self._key = key
        self._kept = ""

    def feed(self, piece: str) -> str:
        """What can be shown by now."""
        text = self._key.redact_whole(self._kept + piece)
        keep = self._key.held_back(text)
        self._kept = text[len(text) - keep :]
        return text[: len(text) - keep]

    def close(self) -> str:
        """The rest."""
        rest, self._kept = self._kept, ""
        return self._key.redact(rest)


def read_key(variable: str) -> Key:
    """The key in an environment variable; none where it is absent or empty.

    Raises:
        UsageError: it cannot be sent in a header.
    """
    value = os.environ.get(variable, "").strip()
    if not all(" " < char < "\x7f" for char in value):
        raise UsageError(
            f"the key in {variable} holds characters that no header can carry",
            mend="set it anew, without quotes and line breaks",
        )
    return Key(value)


def _spellings(value: str) -> tuple[str, ...]:
    """The key as it may stand in JSON, HTML and URLs, the longest first."""
    written = json.dumps(value)[1:-1]
    found = {value, written, written.replace("/", r"\/"), html.escape(value), quote(value, safe="")}
    return tuple(sorted(found, key=lambda spelling: (-len(spelling), spelling)))
