"""Arguments as a JSON object."""

from __future__ import annotations

import json
from typing import Any

from structag_cli.reader.values import Parsed


def dumps(value: Any) -> str:
    """JSON as chat templates write it."""
    return json.dumps(value, ensure_ascii=False)


def decode_at(text: str, at: int) -> tuple[Any, int, tuple[str, ...], bool]:
    """One JSON value.

    Returns:
        The value, the offset behind it, faults, and whether the text ended inside it.
        Where it cannot be read the value is ``None`` and the faults say why.
    """
    repeated: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) != len(items):
            repeated.append("a key stands twice, the last one counts")
        return found

    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    decoder = json.JSONDecoder(object_pairs_hook=pairs)
    try:
        value, end = decoder.raw_decode(text, at)
    except json.JSONDecodeError as err:
        short = err.pos >= len(text.rstrip()) or err.msg.startswith("Unterminated string")
        return None, err.pos, (f"not JSON: {err.msg}",), short
    except (RecursionError, ValueError) as err:
        return None, at, (f"not JSON: {type(err).__name__}",), False
    return value, end, tuple(dict.fromkeys(repeated)), False


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
            faults = ("the arguments are no object",)
        return Parsed(None, end, faults, truncated)


JSON = _Json()
