"""Mends as replacements of text, each for itself, for those who make them elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from structag_cli.findings import Finding
from structag_cli.lint.fixes.rounds import alone
from structag_cli.sources import Document
from structag_cli.sources.document import place_of


@dataclass(frozen=True, slots=True)
class Replacement:
    """A region, its end not in it, and the text that takes its place; all count from 1."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


def replacements(findings: Iterable[Finding]) -> dict[int, list[Replacement]]:
    """The replacements that mend findings, by their number; none for what cannot be mended."""
    by_text: dict[tuple[str, int, str], list[tuple[int, Finding, Document]]] = {}
    for number, finding in enumerate(findings):
        source = finding.fix_source
        if finding.fix and source is not None and source.text and source.file != "-":
            key = (source.file, source.first_line, source.text)
            by_text.setdefault(key, []).append((number, finding, source))
    found: dict[int, list[Replacement]] = {}
    for group in by_text.values():
        document = group[0][2]
        for at, splices in alone(document, [finding.fix for _, finding, _ in group]).items():
            found[group[at][0]] = [
                Replacement(_point(document, s.start), _point(document, s.end), s.new)
                for s in sorted(splices)
            ]
    return found


def _point(document: Document, offset: int) -> tuple[int, int]:
    place = place_of(document.text or "", offset, document)
    return place.line or 1, place.column or 1
