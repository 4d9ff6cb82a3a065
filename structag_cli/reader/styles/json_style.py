"""Arguments as a JSON object."""

from __future__ import annotations

from typing import Any

from structag_cli.reader.json_text import decode_at, dumps
from structag_cli.reader.values import Parsed


class _Json:
    def render(self, arguments: dict[str, Any], schema: Any) -> str:
        """A JSON object."""
        return dumps(arguments)

    def parse(self, text: str, at: int, schema: Any) -> Parsed:
        """A JSON object, white space before it allowed."""
        value, end, faults, truncated = decode_at(text, at)
        if isinstance(value, dict):
            return Parsed(value, end, faults)
        if not faults:
            return Parsed(None, end, ("the arguments are no object",), truncated)
        return Parsed(None, end, faults, truncated, failed=end)


JSON = _Json()
