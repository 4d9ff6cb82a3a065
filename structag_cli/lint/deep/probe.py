"""Tries instances of a schema on its grammar, and keeps those on which the two differ."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

from structag_cli.errors import EngineError
from structag_cli.lint.closings import CLOSINGS
from structag_cli.lint.deep.candidates import Candidate, candidates
from structag_cli.lint.deep.judge import Judge
from structag_cli.lint.deep.leaves import leaf_candidates
from structag_cli.lint.deep.make import Maker
from structag_cli.lint.deep.matching import Matching
from structag_cli.lint.deep.result import Mismatch, ProbeResult
from structag_cli.lint.deep.slots import Slot, slots

_MOST_TEXT = 60_000
_MOST_FOUND = 80
_ROUND = 16


def probe(schema: Any, style: str, seconds: float = 2.0) -> ProbeResult:
    """Compile a schema and try instances on it, for at most about ``seconds``."""
    result = ProbeResult()
    try:
        matching = Matching(schema, style)
    except EngineError as err:
        result.error = err.message.removeprefix("xgrammar refuses the tag: ")
        return result
    except Exception as err:
        result.error = f"{type(err).__name__}: {err}"
        return result
    result.seconds, result.size = matching.seconds, matching.size
    result.warnings = matching.warnings
    judge = Judge(schema)
    _Probe(schema, matching, judge, result, time.perf_counter() + seconds).run()
    return result


class _Probe:
    def __init__(
        self, schema: Any, matching: Matching, judge: Judge, result: ProbeResult, until: float
    ) -> None:
        self.schema = schema
        self.matching = matching
        self.judge = judge
        self.result = result
        self.until = until
        self.maker = Maker(schema, judge)
        self.found: set[tuple[str, str, str]] = set()
        # Beside references to elsewhere, these make "invalid" uncertain.
        self.hedged = any(f'"{word}"' in json.dumps(schema) for word in ("not", "oneOf", "if"))
        self.seen: set[str] = set()

    def run(self) -> None:
        """Round after round over all nodes, some candidates a node each time."""
        live: list[tuple[Slot, Iterator[Candidate], bool]] = []
        for slot in slots(self.schema, self.maker):
            if self.over():
                return
            sound = self._settle(slot)
            live.append((slot, self._candidates(slot), sound))
        while live:
            going = []
            for slot, offered, sound in live:
                if self.over():
                    return
                if self._try_some(slot, offered, sound):
                    going.append((slot, offered, sound))
            live = going

    def over(self) -> bool:
        """Whether time or room is used up."""
        late = time.perf_counter() > self.until or len(self.found) >= _MOST_FOUND
        if late:
            self.result.complete = False
        return late

    def _candidates(self, slot: Slot) -> Iterator[Candidate]:
        closing = CLOSINGS.get(self.matching.style, "")
        if slot.depth:
            known = leaf_candidates(slot.schema, self.matching.style, slot.depth == 1)
            if known is not None:
                return iter(known)
        return candidates(slot.schema, self.maker, slot.choose, closing)

    def _try_some(self, slot: Slot, offered: Iterator[Candidate], sound: bool) -> bool:
        for _ in range(_ROUND):
            try:
                value, stress = next(offered)
            except StopIteration:
                return False
            except (RecursionError, ArithmeticError, TypeError, ValueError, AttributeError):
                return False
            self.attempt(slot, value, stress, sound)
        return True

    def attempt(self, slot: Slot, value: Any, stress: str, sound: bool = True) -> bool | None:
        """Try one value in its place; true where the grammar accepts a valid one."""
        said = self._said(slot.wrap, value)
        if said is None:
            return None
        text, meant = said
        if text in self.seen:
            return None
        self.seen.add(text)
        self.result.tried += 1
        valid = self.judge.allows(meant)
        if valid is None:
            return None
        accepted = self.matching.accepts(text)
        if self.judge.outside and (valid or self.hedged):
            return None
        if accepted and not valid:
            self._keep_drop(text, meant, stress, formats=False)
        elif accepted and not self.judge.formats_hold(meant):
            self._keep_drop(text, meant, stress, formats=True)
        elif valid and not accepted:
            self._keep_refusal(slot, text, meant, stress, sound)
        if valid and accepted and stress in ("non-ASCII letter", "emoji"):
            self._escaped(slot, meant)
        return accepted if valid else None

    def _said(self, wrap: Any, value: Any) -> tuple[str, Any] | None:
        try:
            said = self.matching.text_of(wrap(value))
        except (RecursionError, TypeError, ValueError, KeyError, AttributeError, ArithmeticError):
            return None
        if said is None or len(said[0]) > _MOST_TEXT:
            return None
        return said

    def _escaped(self, slot: Slot, meant: Any) -> None:
        """The same value with its letters as escapes."""
        if self.matching.style != "json":
            return
        text = json.dumps(meant)
        if text not in self.seen:
            self.seen.add(text)
            if not self.matching.accepts(text):
                self._keep_refusal(slot, text, meant, "unicode escape", True)

    def _keep_drop(self, text: str, value: Any, stress: str, *, formats: bool) -> None:
        keyword, pointer, message = self.judge.first_error(value, formats=formats)
        key = ("drops", keyword, pointer)
        if key in self.found:
            return
        self.found.add(key)
        self.result.mismatches.append(
            Mismatch("drops", keyword, pointer, stress, text, value, message[:300], None, formats)
        )

    def _keep_refusal(self, slot: Slot, text: str, value: Any, stress: str, sound: bool) -> None:
        key = ("forbids", stress if sound else "value", slot.pointer)
        if key in self.found:
            return
        self.found.add(key)
        position = self.matching.position(text)
        by_format = not self.judge.formats_hold(value)
        self.result.mismatches.append(
            Mismatch("forbids", "", slot.pointer, stress, text, value, "", position, by_format)
        )

    def _settle(self, slot: Slot) -> bool:
        """Find a value of this node that the grammar accepts, and use it from now on."""
        known = self.maker.preferred.get(id(slot.schema))
        first = self.maker.minimal(slot.schema) if known is None else known
        if self._accepted(slot, first):
            return True
        best, far = first, -1
        for value in self._alternatives(slot):
            said = self._said(slot.wrap, value)
            if said is None or self.judge.allows(said[1]) is False:
                continue
            self.attempt(slot, value, "value")
            if self.matching.accepts(said[0]):
                self.maker.preferred[id(slot.schema)] = value
                return True
            position = self.matching.position(said[0])
            if position > far:
                best, far = value, position
        if best is not first:
            self.maker.preferred[id(slot.schema)] = best
        return False

    def _accepted(self, slot: Slot, value: Any) -> bool:
        said = self._said(slot.wrap, value)
        return said is not None and self.matching.accepts(said[0])

    def _alternatives(self, slot: Slot) -> Iterator[Any]:
        for number, value in enumerate(self.maker.valid(slot.schema)):
            if number > 12:
                break
            yield value
        for number, value in enumerate(self.maker.valid(slot.schema, 1, full=True)):
            if number > 6:
                break
            yield value
