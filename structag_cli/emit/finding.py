"""Finds the structural tag in whatever it was saved as: bare, a request, an engine's payload."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from structag_cli.emit.anatomy import NODES, faults
from structag_cli.errors import InputError
from structag_cli.place import escape_pointer
from structag_cli.sources import Document

CARRIERS = (
    "structural_tag",
    "response_format",
    "structured_outputs",
    "guided_decoding",
    "guided_decoding_params",
    "sampling_options",
    "sampling_params",
    "extra_body",
    "request",
    "body",
    "expect",
)
"""Fields below which engines, gateways and logs carry a tag."""


@dataclass(frozen=True, slots=True)
class FoundTag:
    """A tag (``None``: the document says that there is none) and where it stands.

    ``quoted``: it was JSON inside a string, so the places inside it are unknown.
    ``bare``: it was a format node without the tag around it.
    """

    tag: dict[str, Any] | None
    pointer: str = ""
    quoted: bool = False
    bare: bool = False

    def fault_error(self, document: Document) -> InputError | None:
        """The first thing for which xgrammar refuses the tag, as an error; ``None``: nothing."""
        found = [] if self.tag is None else list(islice(faults(self.tag), 100))
        if not found:
            return None
        fault, others = found[0], len(found) - 1
        message = f"xgrammar refuses the tag: {fault.message}"
        inside = fault.pointer.removeprefix("/format") if self.bare else fault.pointer
        if self.quoted:
            message += f", at {inside or '/'} inside this string"
        if others:
            message += f"; and {others} more"
        place = document.locate(self.pointer if self.quoted else self.pointer + inside)
        return InputError(message, place=place, mend=fault.mend)


def find_tag(value: Any) -> FoundTag | None:
    """The tag in a value read from JSON; ``None`` when the value holds nothing like one."""
    return FoundTag(None) if value is None else _find(value, "", False)


def tag_of(document: Document) -> FoundTag:
    """The tag in a document.

    Raises:
        InputError: there is none.
    """
    found = find_tag(document.value)
    if found is None:
        raise InputError(
            _what_instead(document.value),
            place=document.locate(""),
            mend='a tag is {"type": "structural_tag", "format": {...}}, bare or in a request',
        )
    return found


def _find(value: Any, pointer: str, quoted: bool) -> FoundTag | None:
    if isinstance(value, str):
        parsed = _unquote(value)
        return None if parsed is None else _find(parsed, pointer, True)
    if not isinstance(value, Mapping):
        return None
    if _is_tag(value):
        return FoundTag(dict(value), pointer, quoted)
    if not pointer and _is_node(value):
        tag = {"type": "structural_tag", "format": dict(value)}
        return FoundTag(tag, pointer, quoted, bare=True)
    nothing = None
    for key in CARRIERS:
        if key not in value:
            continue
        here = pointer if quoted else f"{pointer}/{escape_pointer(key)}"
        if value[key] is None and key == "structural_tag":
            nothing = FoundTag(None, here, quoted)
            continue
        found = _find(value[key], here, quoted)
        if found is not None:
            return found
    return nothing


def _unquote(text: str) -> Any:
    if not text.lstrip().startswith("{"):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _is_tag(value: Mapping[str, Any]) -> bool:
    """Either form; a tag that lacks its ``format`` is one, too, and faulty."""
    if "format" in value:
        return bool(value.get("type", "structural_tag") == "structural_tag")
    if "structures" in value and "triggers" in value:
        return True
    return value.get("type") == "structural_tag" and "structural_tag" not in value


def _is_node(value: Mapping[str, Any]) -> bool:
    """A node of the format tree, not OpenAI's response format of the same type name."""
    kind = value.get("type")
    fields = NODES.get(kind) if isinstance(kind, str) else None
    if fields is None or any(f.required and name not in value for name, f in fields.items()):
        return False
    wrapped = value.get("json_schema")
    return not (isinstance(wrapped, Mapping) and {"name", "schema"} <= set(wrapped))


def _what_instead(value: Any) -> str:
    if isinstance(value, list):
        return "a list, not a structural tag"
    if not isinstance(value, Mapping):
        return f"not a structural tag but {json.dumps(value, ensure_ascii=False)[:60]}"
    keys = ", ".join(repr(str(key)) for key in list(value)[:5])
    return f"no structural tag in it, its fields are {keys}" if keys else "no structural tag in it"
