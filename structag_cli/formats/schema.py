"""The JSON Schema of grammar files, derived from the structs that read them."""

from __future__ import annotations

from typing import Any

import msgspec

from structag_cli.formats.model import Grammar

SCHEMA_ID = "urn:structag:schema:grammar:1"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def grammar_schema() -> dict[str, Any]:
    """The schema of one grammar file, as plain JSON values."""
    derived: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(msgspec.json.schema(Grammar)))
    definitions = dict(derived["$defs"])
    root = definitions.pop("Grammar")
    return {
        "$schema": _DIALECT,
        "$id": SCHEMA_ID,
        **root,
        "title": "structag grammar",
        "description": "One wire format for tool calls: names, syntax, bans, facts, examples.",
        "$defs": definitions,
    }
