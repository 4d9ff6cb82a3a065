"""From a text to its mended text: what the rules find and can mend, round after round."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from structag_cli.findings import Finding
from structag_cli.lint.deployment_slips import document_at
from structag_cli.lint.detect import Trouble, subjects
from structag_cli.lint.fixes.rounds import mended
from structag_cli.lint.registry import rules
from structag_cli.lint.run import findings_of
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings, Subject
from structag_cli.sources import Document

ROUNDS = 10
"""Most rounds for one text: mends that touch each other take one each."""


@dataclass(slots=True)
class Mended:
    """A text after its mends: how many, and the findings whose mend is not safe, with why.

    ``troubles``: what of the text cannot be read.
    """

    text: str
    count: int = 0
    refused: list[tuple[Finding, str]] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)


@dataclass(slots=True)
class _Piece:
    """A document in the text of its file, with the findings that can be mended in it."""

    document: Document
    start: int
    findings: list[Finding] = field(default_factory=list)


def mend(path: str, text: str, settings: Settings, selection: Selection) -> Mended:
    """Mend a text until nothing is left that can be.

    Args:
        path: what the text was read from.
        text: without byte order mark.
        settings: what it is linted for.
        selection: only findings that it keeps are mended.
    """
    done = Mended(text)
    for _ in range(ROUNDS):
        count = _round(path, done, settings, selection)
        done.count += count
        if not count:
            break
    return done


def _round(path: str, done: Mended, settings: Settings, selection: Selection) -> int:
    """Make the mends that go together; how many."""
    count = 0
    done.refused, done.troubles = [], []
    text = done.text
    pieces = _pieces(path, done, settings, selection)
    # From the end: what stands before a piece keeps its place.
    for piece in sorted(pieces, key=lambda p: -p.start):
        outcome = mended(piece.document, [finding.fix for finding in piece.findings])
        end = piece.start + len(piece.document.text or "")
        text = text[: piece.start] + outcome.text + text[end:]
        count += len(outcome.made)
        done.refused[:0] = [(piece.findings[i], why) for i, why in outcome.refused.items()]
    done.text = text
    return count


def _pieces(
    path: str, done: Mended, settings: Settings, selection: Selection
) -> Collection[_Piece]:
    """The documents of a text that have something to mend."""
    chosen = [r for r in rules().values() if r.fix and selection.runs(r.code, r.opt_in)]
    lines, left = _Lines(done.text), dict(selection.baseline)
    found: dict[int, _Piece] = {}
    for subject in subjects(path, settings, text=done.text):
        if isinstance(subject, Trouble):
            done.troubles += [] if subject.unknown else [subject]
            continue
        for finding in selection.kept(findings_of(subject, chosen), left):
            if not finding.fix:
                continue
            document, start = _document(subject, finding, lines)
            if document.text and done.text.startswith(document.text, start):
                found.setdefault(start, _Piece(document, start)).findings.append(finding)
    return found.values()


class _Lines:
    """Where the lines of a text begin; asked for in rising order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.number, self.at = 1, 0

    def start(self, number: int) -> int:
        """The offset at which a line begins."""
        if number < self.number:
            self.number, self.at = 1, 0
        while self.number < number:
            self.at = self.text.index("\n", self.at) + 1
            self.number += 1
        return self.at


def _document(subject: Subject, finding: Finding, lines: _Lines) -> tuple[Document, int]:
    """The document that a finding is in, and where its text begins in that of the file."""
    if subject.deployment is not None:
        document, start = document_at(subject.deployment, finding.place)
        return document or subject.document, start
    return subject.document, lines.start(subject.document.first_line)
