"""Findings for people: place, code, message, the source with a caret, witness and mend."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import TextIO
from unicodedata import combining, east_asian_width

from structag_cli.emit.words import counted
from structag_cli.findings import Finding, Witness
from structag_cli.lint.run import Counts

_WIDTH = 96
_LONGEST = 4096
"""The longest name of a file, message or mend; one line each, whatever a name in it holds."""

_WORDS = {
    "drops": "the grammar drops this constraint",
    "forbids": "the grammar forbids valid data",
    "fails": "the grammar does not compile",
}


def print_text(
    findings: Iterable[Finding],
    counts: Counts,
    stream: TextIO,
    *,
    quiet: bool = False,
    mended: bool = False,
) -> None:
    """Print findings as they come, then a line of totals.

    The lines of a request log often hold the same tools: what was said of an earlier line
    of the file is named and not said again.
    """
    severities: Counter[str] = Counter()
    fixable = 0
    file, said = "", dict[bytes, int | None]()
    for finding in findings:
        severities[finding.severity.word] += 1
        fixable += bool(finding.fix)
        place = finding.place
        if place.file != file:
            file, said = place.file, {}
        first = said.setdefault(_digest(finding), place.line)
        stream.write((text_of(finding) if first == place.line else _again(finding, first)) + "\n")
    if quiet:
        return
    total = sum(severities.values())
    words = ", ".join(f"{severities[word]} {word}" for word in ("error", "warning", "info"))
    found = f"{counted(total, 'finding')} ({words})" if total else "nothing found"
    hint = f"; {fixable} can be mended with --fix" if fixable and not mended else ""
    stream.write(f"{found} in {counted(counts.files, 'file')}{hint}\n")


def _digest(finding: Finding) -> bytes:
    """Equal for findings that are told in the same words, wherever their line is."""
    place = finding.place
    told = (finding.code, place.pointer, finding.message, finding.mend, finding.witness)
    return blake2b(repr(told).encode("utf-8", "replace"), digest_size=12).digest()


def _again(finding: Finding, first: int | None) -> str:
    return f"{_head(finding)} {printable(finding.message, _WIDTH)} (as on line {first})"


def _head(finding: Finding) -> str:
    place = finding.place
    where = printable(place.file, _LONGEST)
    if place.line is not None:
        where += f":{place.line}:{place.column}"
    return f"{where}: {finding.severity.word} {finding.code} [{finding.rule}]"


def text_of(finding: Finding) -> str:
    """One finding, some lines."""
    place = finding.place
    lines = [f"{_head(finding)} {printable(finding.message, _LONGEST)}"]
    lines += _excerpt(finding)
    if place.pointer:
        lines.append(f"    at {printable(place.pointer)}")
    if finding.effect:
        lines.append(f"    effect: {_WORDS[finding.effect]}")
    if finding.witness is not None:
        lines += _witness(finding.witness)
    if finding.mend:
        lines.append(f"    mend: {printable(finding.mend, _LONGEST)}")
    return "\n".join(lines)


def printable(text: str, limit: int = 240) -> str:
    """A text without control characters, on one line, cut."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return shown if len(shown) <= limit else shown[: limit - 3] + "..."


def _witness(witness: Witness) -> list[str]:
    schema = "allowed" if witness.valid else "forbidden"
    where = "" if witness.position is None else f" at byte {witness.position}"
    grammar = "accepted" if witness.accepted else f"refused{where}"
    return [
        f"    witness: {printable(witness.text)}",
        f"             {schema} by the schema, {grammar} by the grammar",
    ]


def _excerpt(finding: Finding) -> list[str]:
    """The source line, cut to a window round the column, and a caret."""
    place = finding.place
    if place.line is None or place.column is None or place.file == "-":
        return []
    line = _line(place.file, place.line)
    if not line.strip():
        return []
    start = max(0, place.column - _WIDTH // 2) if len(line) > _WIDTH else 0
    cut = line[start : start + _WIDTH]
    shown = "".join(c if c.isprintable() else " " for c in cut)
    caret = " " * _columns(shown[: place.column - 1 - start]) + "^"
    return [f"  {place.line:>5} | {shown}", f"        | {caret}"]


def _columns(text: str) -> int:
    """How wide a text is on a terminal, where Chinese and emoji take two columns."""
    marks = sum(bool(combining(c)) for c in text)
    return len(text) - marks + sum(east_asian_width(c) in "FW" for c in text)


def _line(file: str, number: int) -> str:
    """A line of a file, read from the last one asked for on: a log may be long."""
    try:
        status = os.stat(file)
        if not stat.S_ISREG(status.st_mode):  # a pipe has been read, and would wait for more
            return ""
        mark = _mark(file, status.st_mtime_ns, status.st_size)
        if number < mark.number:
            mark.number, mark.offset = 1, 0
        with open(file, "rb") as stream:
            stream.seek(mark.offset)
            for _ in range(number - mark.number):
                mark.offset += len(stream.readline())
            mark.number = number
            line = stream.readline()
    except OSError:
        return ""
    return line.decode("utf-8-sig" if number == 1 else "utf-8", "replace").rstrip("\r\n")


@dataclass(slots=True)
class _Mark:
    """A line of a file and where it begins."""

    number: int = 1
    offset: int = 0


@lru_cache(maxsize=2)
def _mark(_file: str, _changed: int, _size: int) -> _Mark:
    """Where reading stopped, for the content that a file has now."""
    return _Mark()
