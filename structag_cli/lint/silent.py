"""From mismatches to findings: which rule each belongs to, and what to say."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from structag_cli.findings import Found, Severity, Witness
from structag_cli.lint.deep.result import CUT, CUT_INSIDE, Mismatch, ProbeResult
from structag_cli.lint.schemas import every_schema
from structag_cli.lint.subject import RawTool, Subject

Belongs = Callable[[Mismatch], bool]

ESCAPES = {
    *("newline", "quote", "backslash", "tab", "control character", "unicode escape"),
    "newline at the end",
}
LETTERS = {"non-ASCII letter", "emoji", "CJK"}
ORDER = {"property order", "order of a constant"}
_NAMES = {
    b"n": "newline",
    b'"': "quote",
    b"\\": "backslash",
    b"t": "tab",
    b"u": "unicode escape",
    b"r": "carriage return",
    b"b": "control character",
    b"f": "control character",
}
_STRING = re.compile(
    r'(?P<text>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")\s*(?P<colon>:)?'
)
EXTRA = {"extra property", "property name"}


def kind_of(found: Mismatch) -> str:
    """The rule of a mismatch, by a word."""
    if found.stress in (CUT, CUT_INSIDE):
        return "cut"
    if found.effect == "drops":
        return "format" if found.by_format else "drops"
    stress = found.stress
    if refused_name(found):
        return "name"
    if refused_escape(found):
        return "escapes"
    if stress in ORDER:
        return "order"
    if stress in EXTRA:
        return "extra"
    if stress == "number form":
        return "number"
    if stress in ESCAPES:
        return "escapes"
    return "pattern" if stress in ("unanchored pattern", "pattern") else "forbids"


def refused_escape(found: Mismatch) -> str:
    """What the escape stands for at which the grammar refuses a text; empty: it is none."""
    rest = found.text.encode()[found.position or 0 :][:2]
    return _NAMES.get(rest[1:], "") if rest[:1] == b"\\" else ""


def refused_name(found: Mismatch) -> str:
    """The name of the property in which the grammar refuses an escape; empty: it is in none."""
    if not refused_escape(found):
        return ""
    at = len(found.text.encode()[: found.position or 0].decode(errors="ignore"))
    for string in _STRING.finditer(found.text):
        if string.start() < at < string.end():
            return str(json.loads(string["text"])) if string["colon"] else ""
    return ""


def probed(subject: Subject) -> Iterator[tuple[RawTool, ProbeResult]]:
    """The tools and other schemas that were probed, with what was found."""
    for tool, _ in every_schema(subject):
        result = subject.probes.get(tool.index)
        if isinstance(result, ProbeResult):
            yield tool, result


def mismatches(subject: Subject, kind: str) -> Iterator[tuple[RawTool, Mismatch]]:
    """The mismatches of one kind, tool by tool."""
    for tool, result in probed(subject):
        for found in result.mismatches:
            # What a grammar refuses because a format forbids it is as it should be.
            if kind_of(found) == kind and not (found.effect == "forbids" and found.by_format):
                yield tool, found


def stress_of(found: Mismatch) -> str:
    """What the grammar refuses, as a noun."""
    escape = "" if found.stress in ESCAPES else refused_escape(found)
    return escape or found.stress


def once_a_tool(subject: Subject, kind: str) -> Iterator[tuple[RawTool, Mismatch, int]]:
    """The first mismatch of a kind for each tool, and how many there are."""
    grouped: dict[int, list[tuple[RawTool, Mismatch]]] = {}
    for tool, found in mismatches(subject, kind):
        grouped.setdefault(tool.index, []).append((tool, found))
    for pairs in grouped.values():
        yield (*pairs[0], len(pairs))


def once_a_place(subject: Subject, kind: str) -> Iterator[tuple[RawTool, Mismatch, list[str]]]:
    """The first mismatch of a kind at each place, and everything that was stressed there."""
    grouped: dict[tuple[int, str], list[tuple[RawTool, Mismatch]]] = {}
    for tool, found in mismatches(subject, kind):
        grouped.setdefault((tool.index, found.pointer), []).append((tool, found))
    for pairs in grouped.values():
        yield (*pairs[0], list(dict.fromkeys(stress_of(found) for _, found in pairs)))


def once_a_cause(subject: Subject, kind: str) -> Iterator[tuple[RawTool, Mismatch]]:
    """The mismatches of a kind, without those refused after one text at one byte.

    A grammar that has read the same bytes refuses the next one for the same reason, whatever
    the instance was made to try.
    """
    seen: set[tuple[int, bytes]] = set()
    for tool, found in mismatches(subject, kind):
        if found.position is not None:
            read = (tool.index, found.text.encode()[: found.position + 1])
            if read in seen:
                continue
            seen.add(read)
        yield tool, found


def found_of(
    tool: RawTool,
    mismatch: Mismatch,
    message: str,
    mend: str = "",
    severity: Severity | None = None,
) -> Found:
    """A finding of a mismatch."""
    drops = mismatch.effect == "drops"
    witness = Witness(mismatch.text, not drops, drops, mismatch.value, mismatch.position)
    return Found(
        pointer=tool.schema_pointer + mismatch.pointer,
        message=f"{tool.title}: {message}",
        mend=mend,
        effect="drops" if drops else "forbids",
        keyword=mismatch.keyword or stress_of(mismatch),
        witness=witness,
        severity=severity,
        subject=tool.title,
    )
