"""Mends of one document: which can be made at once, made and read back."""

from __future__ import annotations

import json
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from structag_cli.errors import InputError
from structag_cli.lint.fixes.edits import CannotMend, Edit, Made, edited
from structag_cli.lint.fixes.layout import layout_of, shared
from structag_cli.lint.fixes.splices import Splice, Splicer, overlap, spliced
from structag_cli.sources import Document, parse_document

Fix = Sequence[Edit]
"""Edits that are made together or not at all."""

_SHARED = "an anchor around it shares it"
_NOT_SAME = "the result would not read as it is meant"


@dataclass(slots=True)
class Outcome:
    """A text with mends made: which of the fixes, and why some cannot be.

    Fixes that are in neither wait for the next round: they touch others.
    """

    text: str
    made: list[int] = field(default_factory=list)
    refused: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Plan:
    index: int
    splices: tuple[Splice, ...]
    edits: tuple[Made, ...]


def mended(document: Document, fixes: Sequence[Fix]) -> Outcome:
    """The document's text with as many of the fixes as go together; earlier ones win."""
    outcome = Outcome(document.text or "")
    kept: list[_Plan] = []
    _sound(document, kept, _apart(_plans(document, fixes, outcome)), outcome)
    outcome.text = _spliced(document, kept)
    outcome.made = [plan.index for plan in kept]
    return outcome


def alone(document: Document, fixes: Sequence[Fix]) -> dict[int, tuple[Splice, ...]]:
    """The splices of each fix that can be made, as if it were the only one."""
    outcome = Outcome(document.text or "")
    kept: list[_Plan] = []
    waiting = _plans(document, fixes, outcome)
    while waiting:  # those that touch others are tried in another go
        apart = _apart(waiting)
        sound: list[_Plan] = []
        _sound(document, sound, apart, outcome)
        kept += sound
        gone = {plan.index for plan in apart}
        waiting = [plan for plan in waiting if plan.index not in gone]
    return {plan.index: plan.splices for plan in kept}


def _plans(document: Document, fixes: Sequence[Fix], outcome: Outcome) -> list[_Plan]:
    splicer = Splicer(layout_of(document.text or "", document.kind), document.kind)
    found: list[_Plan] = []
    for index, fix in enumerate(fixes):
        try:
            pairs = [splicer.splice(edit) for edit in fix]
        except CannotMend as err:
            outcome.refused[index] = str(err)
            continue
        found.append(_Plan(index, tuple(s for s, _ in pairs), tuple(e for _, e in pairs)))
    return found


def _apart(plans: list[_Plan]) -> list[_Plan]:
    """The plans that touch none before them."""
    taken: list[Splice] = []
    return [plan for plan in plans if _fits(plan, taken)]


def _fits(plan: _Plan, taken: list[Splice]) -> bool:
    """Whether a plan touches none of the splices taken, which it joins then."""
    for count, own in enumerate(plan.splices):
        at = bisect(taken, own)
        if any(overlap(own, other) for other in taken[max(0, at - 2) : at + 2]):
            for each in plan.splices[:count]:
                taken.remove(each)
            return False
        taken.insert(at, own)
    return True


def _sound(document: Document, kept: list[_Plan], plans: list[_Plan], outcome: Outcome) -> None:
    """Keep the plans that do not spoil the result, halving to find those that do."""
    if not plans or _made(document, [*kept, *plans]) is not None:
        kept += plans
    elif len(plans) == 1:
        outcome.refused[plans[0].index] = _why(document, plans[0])
    else:
        half = len(plans) // 2
        _sound(document, kept, plans[:half], outcome)
        _sound(document, kept, plans[half:], outcome)


def _why(document: Document, plan: _Plan) -> str:
    layout = layout_of(document.text or "", document.kind)
    return _SHARED if any(shared(layout, edit.pointer) for edit in plan.edits) else _NOT_SAME


def _made(document: Document, plans: list[_Plan]) -> str | None:
    """The text with plans made; ``None`` where it does not read back as their edits say."""
    text = _spliced(document, plans)
    try:
        meant = edited(document.value, (e for plan in plans for e in plan.edits))
        read = parse_document(text, document.file, kind=document.kind).value
    except (CannotMend, InputError):
        return None
    return text if _written(read) == _written(meant) else None


def _spliced(document: Document, plans: list[_Plan]) -> str:
    return spliced(document.text or "", (s for plan in plans for s in plan.splices))


def _written(value: Any) -> str:
    """A value such that 1, 1.0 and true differ; keys in whatever order."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
