"""Tool names inside begin strings."""

from __future__ import annotations

from collections.abc import Iterator

from structag_cli.formats.model import NAME_PLACEHOLDER, Grammar


def begins_of(grammar: Grammar, name: str) -> Iterator[str]:
    """The texts with which a call of a tool begins."""
    for call in grammar.calls:
        first = call.begin if isinstance(call.begin, str) else call.begin[0]
        if isinstance(first, str) and NAME_PLACEHOLDER in first:
            yield first.replace(NAME_PLACEHOLDER, name)


def name_fault(grammar: Grammar, name: str) -> str:
    """Why a name cannot stand where this format puts it; empty where it can."""
    for call in grammar.calls:
        parts = [call.begin] if isinstance(call.begin, str) else list(call.begin)
        for part in parts:
            if isinstance(part, str) and NAME_PLACEHOLDER in part:
                fault = _fault(part, name)
                if fault:
                    return fault
    return ""


def _fault(part: str, name: str) -> str:
    before, _, after = part.partition(NAME_PLACEHOLDER)
    if before.endswith('"'):
        odd = next((c for c in name if c in '"\\' or c < " "), None)
        return f"{odd!r} must be escaped in a JSON string" if odd else ""
    closing = after[:1]
    if closing and closing in name:
        return f"{closing!r} ends the name"
    odd = next((c for c in name if c in "<>\n\r" or c < " "), None)
    return f"{odd!r} is markup here" if odd else ""
