"""The run: files to subjects, rules over subjects, findings in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any

from structag_cli.findings import Finding, Found
from structag_cli.lint.deployment_slips import document_at
from structag_cli.lint.detect import Trouble, subjects, walk
from structag_cli.lint.fixes.edits import Edit
from structag_cli.lint.registry import rules
from structag_cli.lint.rule import Rule
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import RawTool, Settings, Subject
from structag_cli.place import Place
from structag_cli.sources import Document

_WINDOW = 24
"""Subjects that wait for their probes at once."""


@dataclass(slots=True)
class Counts:
    """What a run went through."""

    files: int = 0
    subjects: int = 0
    kinds: dict[str, int] = field(default_factory=dict)

    def note(self, subject: Subject) -> None:
        """Count a subject."""
        self.subjects += 1
        self.kinds[subject.kind] = self.kinds.get(subject.kind, 0) + 1


def lint(
    paths: list[str], settings: Settings, selection: Selection, counts: Counts | None = None
) -> Iterator[Finding]:
    """Lint files and folders; findings come file by file, in the order of the file."""
    counts = counts or Counts()
    left = dict(selection.baseline)
    chosen = [rule for rule in rules().values() if selection.runs(rule.code, rule.opt_in)]
    deep = settings.deep and any(rule.deep for rule in chosen)
    if not deep:
        chosen = [rule for rule in chosen if not rule.deep]
        for item in _items(paths, settings, counts):
            yield from selection.kept(findings_of(item, chosen), left)
        return
    from structag_cli.lint.deep.pool import Pool

    with Pool(settings) as pool:
        waiting: deque[Subject | Trouble] = deque()
        for item in _items(paths, settings, counts):
            if isinstance(item, Subject):
                pool.submit(item)
            waiting.append(item)
            if len(waiting) >= _WINDOW:
                yield from selection.kept(_probed(waiting.popleft(), chosen), left)
        while waiting:
            yield from selection.kept(_probed(waiting.popleft(), chosen), left)


def _items(paths: list[str], settings: Settings, counts: Counts) -> Iterator[Subject | Trouble]:
    for path, named in walk(paths):
        counts.files += 1
        for item in subjects(path, settings, named=named):
            if isinstance(item, Subject):
                counts.note(item)
            yield item


def _probed(item: Subject | Trouble, chosen: list[Rule]) -> list[Finding]:
    """The findings of a subject whose probes are waited for."""
    if not isinstance(item, Subject):
        return findings_of(item, chosen)
    failed = []
    for index, probe in item.probes.items():
        result, why = _result(probe)
        item.probes[index] = result
        if why:
            tool = next((t for t in item.tools if t.index == index), None)
            failed.append(_broken(item, f"the deep rules cannot read this: {why}", tool))
    return sorted([*failed, *findings_of(item, chosen)], key=_in_order)


def _result(probe: Future[Any]) -> tuple[Any, str]:
    """What a probe found, and why it could not go on, if that is so."""
    try:
        result = probe.result()
    except Exception as e:  # whatever a stranger's file does to it
        return None, f"{type(e).__name__}: {str(e)[:200]}"
    return result, getattr(result, "note", "")


def _in_order(finding: Finding) -> tuple[int, int, str]:
    return finding.place.line or 0, finding.place.column or 0, finding.code


def findings_of(item: Subject | Trouble, chosen: list[Rule]) -> list[Finding]:
    """What rules find in one subject, in the order of the text."""
    if isinstance(item, Trouble):
        return [_trouble(item)]
    found = [finding for rule in chosen for finding in _of_rule(rule, item)]
    return sorted(found, key=_in_order)


def _of_rule(rule: Rule, subject: Subject) -> list[Finding]:
    """What one rule finds; a rule that breaks must not cost the findings of the others."""
    try:
        return [_finding(rule, each, subject) for each in rule.check(subject)]
    except Exception as e:  # whatever a stranger's file does to it
        message = f"rule {rule.code} cannot read this: {type(e).__name__}: {str(e)[:200]}"
        return [_broken(subject, message)]


def _broken(subject: Subject, message: str, tool: RawTool | None = None) -> Finding:
    broken = rules()["E004"]
    place = subject.document.locate(subject.pointer if tool is None else tool.schema_pointer)
    return Finding(broken.code, broken.name, broken.severity, message, place, broken.mend)


def _trouble(trouble: Trouble) -> Finding:
    code = "E002" if trouble.unknown else "E001"
    rule = rules()[code]
    return Finding(
        code, rule.name, rule.severity, trouble.message, trouble.place, trouble.mend or rule.mend
    )


def _finding(rule: Rule, found: Found, subject: Subject) -> Finding:
    place = found.place or _locate(subject, found.pointer)
    fix = _fix(found, subject)
    return Finding(
        code=rule.code,
        rule=rule.name,
        severity=found.severity or rule.severity,
        message=found.message,
        place=place,
        mend=found.mend or rule.mend,
        effect=found.effect,
        keyword=found.keyword,
        witness=found.witness,
        subject=found.subject,
        fix=fix,
        everywhere=found.everywhere,
        fix_source=_source(subject, place) if fix else None,
    )


def _fix(found: Found, subject: Subject) -> tuple[Edit, ...]:
    """The edits by the pointers of the document; none inside a tag that is a string."""
    if not found.fix or subject.quoted:
        return ()
    return tuple(replace(edit, pointer=_in_document(subject, edit.pointer)) for edit in found.fix)


def _source(subject: Subject, place: Place) -> Document:
    """The document that a finding is in: a file of deployments may hold several."""
    found = None if subject.deployment is None else document_at(subject.deployment, place)[0]
    return found or subject.document


def _in_document(subject: Subject, pointer: str) -> str:
    """Where a value stands in the document: what was put around a tag is not there."""
    if subject.bare and pointer.startswith("/format"):
        return pointer.removeprefix("/format")
    return pointer


def _locate(subject: Subject, pointer: str) -> Place:
    pointer = subject.pointer if subject.quoted else _in_document(subject, pointer)
    place = subject.places.get(pointer)
    if place is None:
        place = subject.places[pointer] = subject.document.locate(pointer)
    return place
