"""Tries instances of a schema on its grammar, and keeps those on which the two differ."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any

from structag_cli.errors import EngineError
from structag_cli.lint.deep.blame import refusing_node
from structag_cli.lint.deep.candidates import Candidate, candidates
from structag_cli.lint.deep.constants import constant_values
from structag_cli.lint.deep.cuts import cuts
from structag_cli.lint.deep.failing import failing_node
from structag_cli.lint.deep.judge import Judge, child_error
from structag_cli.lint.deep.leaves import leaf_candidates
from structag_cli.lint.deep.make import Maker
from structag_cli.lint.deep.matching import Matching, OutOfTime, interrupted_after
from structag_cli.lint.deep.result import CUT, ONCE_A_TOOL, Mismatch, ProbeResult
from structag_cli.lint.deep.slots import Slot, slots
from structag_cli.lint.deep.view import flat
from structag_cli.lint.deep.walks import walks
from structag_cli.lint.nodes import subschemas

_MOST_TEXT = 60_000
_MOST_FOUND = 80
"""Of each effect, so that many strings that take no escapes hide no dropped keyword."""

_EFFECTS = ("drops", "forbids")
_ROUND = 8
_ALIKE = 6
_OVERTIME = 1.25
_SLACK = 3.0
"""Seconds after which one step of the trying is broken off, wherever it stands."""

_MADE = 0.85
_WALKS = 40
_INVOLVED = {
    *("allOf", "anyOf", "oneOf", "not", "if", "dependencies", "dependentSchemas", "$dynamicRef"),
    *("dependentRequired", "patternProperties", "propertyNames", "unevaluatedProperties"),
    *("unevaluatedItems", "contains", "uniqueItems", "$recursiveRef", "minProperties"),
}
_TRUSTED = 6
_CLOSED = {"/additionalProperties", "/unevaluatedProperties"}
_SETTLING = 0.4
"""The share of the time in which values are sought that the grammar accepts."""


def probe(
    schema: Any,
    style: str,
    seconds: float = 2.0,
    seed: int = 0,
    compiled: Callable[[], None] = lambda: None,
) -> ProbeResult:
    """Compile a schema and try instances on it, for at most about ``seconds``.

    ``seed`` chooses the random walks through the grammar; the rest has no chance in it.
    ``compiled`` is called once the schema has compiled.
    """
    result = ProbeResult()
    try:
        matching = Matching(schema, style)
    except EngineError as err:
        result.error = err.message.removeprefix("xgrammar refuses the tag: ")
        result.error_pointer = failing_node(schema, style, err.message)
        return result
    except Exception as err:
        result.error = f"{type(err).__name__}: {err}"
        return result
    result.seconds, result.size = matching.seconds, matching.size
    result.warnings = matching.warnings
    compiled()
    try:
        with interrupted_after(seconds * _OVERTIME + _SLACK):
            _Probe(schema, matching, Judge(schema), result, seconds).run(seed)
    except OutOfTime:
        result.complete = False
    return result


def _followed(schema: Any) -> list[str]:
    """Instances by the grammar's reading of a schema, which may not be the schema's."""
    from structag_cli.emit.examples.instances import instances
    from structag_cli.emit.examples.trouble import NoExample

    try:
        return [json.dumps(value) for value in instances(schema).values]
    except (NoExample, RecursionError, TypeError, ValueError, AttributeError, LookupError):
        return []


def _is_involved(schema: Any) -> bool:
    """Whether a schema has keywords that a grammar can hardly follow."""
    return any(_INVOLVED & set(node) for node, _ in subschemas(schema))


class _Probe:
    def __init__(
        self, schema: Any, matching: Matching, judge: Judge, result: ProbeResult, seconds: float
    ) -> None:
        self.schema = schema
        self.matching = matching
        self.judge = judge
        self.result = result
        now = time.perf_counter()
        self.until = now + seconds
        self.made_until = now + seconds * _MADE
        matching.deadline = now + seconds * _OVERTIME
        self.settle_until = now + seconds * _SETTLING
        self.maker = Maker(schema, judge)
        self.found: set[tuple[str, str, str]] = set()
        self.agreed: Counter[int] = Counter()
        self.alike: Counter[tuple[str, str]] = Counter()
        self.seen: set[str] = set()
        self.cut = False

    def run(self, seed: int) -> None:
        """Made candidates first; where they show nothing dropped, walks through the grammar."""
        self.result.mismatches += cuts(self.matching, slots(self.schema, self.maker))
        self.cut = any(found.stress == CUT for found in self.result.mismatches)
        self._candidates_in_turn()
        dropped = any(found.effect == "drops" for found in self.result.mismatches)
        if not dropped and self.matching.style == "json" and _is_involved(self.schema):
            self._walk(seed)

    def _walk(self, seed: int) -> None:
        whole = Slot(self.schema, "", lambda value: value)
        for text in chain(_followed(self.schema), walks(self.matching.grammar, seed, _WALKS)):
            if time.perf_counter() > self.until:
                self.result.complete = False
                return
            try:
                value = json.loads(text or "")
            except ValueError:
                continue
            self.result.tried += 1
            if self.matching.accepts(text or "") and self.judge.allows(value) is False:
                self._keep_drop(whole, text or "", value, "walk", formats=False)

    def _candidates_in_turn(self) -> None:
        """Round after round over all nodes, some candidates a node each time."""
        settled = self._settled()
        live = [(slot, self._candidates(slot), sound) for slot, sound in settled]
        while live and not self.over():
            going = []
            for slot, offered, sound in live:
                if self.over():
                    return
                if self._try_some(slot, offered, sound):
                    going.append((slot, offered, sound))
            live = going

    def _settled(self) -> list[tuple[Slot, bool]]:
        """Every node, and whether the grammar accepts a value of it."""
        places: list[tuple[Slot, bool]] = []
        for slot in slots(self.schema, self.maker):
            if self.over():
                return places
            places.append((slot, self._settle_in_time(slot)))
        before = self.maker.version
        for slot, sound in places:
            if not sound:
                self.maker.forget(slot.schema)
        if self.maker.version == before:
            return places
        # An outer node was tried with parts for which better ones are known by now.
        return [(slot, sound or self._settle_in_time(slot)) for slot, sound in places]

    def _settle_in_time(self, slot: Slot) -> bool:
        return self._settle(slot) if time.perf_counter() < self.settle_until else True

    def over(self) -> bool:
        """Whether time or room is used up."""
        late = time.perf_counter() > self.made_until or all(map(self._full, _EFFECTS))
        if late:
            self.result.complete = False
        return late

    def _full(self, effect: str) -> bool:
        """Whether enough is found of one effect: that leaves the room of the other alone."""
        return sum(key[0] == effect for key in self.found) >= _MOST_FOUND

    def _candidates(self, slot: Slot) -> Iterator[Candidate]:
        if slot.depth and (slot.named or self.matching.style == "json"):
            known = leaf_candidates(
                slot.schema, self.matching.style, slot.depth == 1, self.judge.kind
            )
            if known is not None:
                yield from known
                return
        yield from candidates(slot.schema, self.maker, slot.choose)

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
        said = self._said(slot, value)
        if said is None:
            return None
        text, meant = said
        if text in self.seen:
            return None
        self.seen.add(text)
        self.result.tried += 1
        accepted = self.matching.accepts(text)
        if not accepted and self._wrong_here(slot, value):
            return None
        if accepted and self._right_here(slot, value):
            return True
        if accepted and self.judge.wholly_allows(meant):
            valid: bool | None = True
            self.agreed[id(slot)] += 1
        else:
            valid = self.judge.allows(meant)
            if valid is None:
                return None
            if accepted and not valid:
                self._keep_drop(slot, text, meant, stress, formats=False)
            elif accepted and not self.judge.formats_hold(meant):
                self._keep_drop(slot, text, meant, stress, formats=True)
            elif valid and not accepted:
                self._keep_refusal(slot, text, meant, stress, sound)
        if valid and accepted and not text.isascii():
            self._escaped(slot, meant)
        return accepted if valid else None

    def _wrong_here(self, slot: Slot, value: Any) -> bool:
        """Whether a refused value is invalid by its own node, which is quick to see."""
        return self.matching.style == "json" and (
            child_error(self.judge, slot.schema, value) is False
        )

    def _right_here(self, slot: Slot, value: Any) -> bool:
        """Whether an accepted value is valid by its own node, and what stands round it is no
        matter: that is taken from earlier values of the node."""
        return (
            slot.depth > 0
            and self.matching.style == "json"
            and self.agreed[id(slot)] >= _TRUSTED
            and self.judge.part_wholly_allows(slot.schema, value)
        )

    def _said(self, slot: Slot, value: Any) -> tuple[str, Any] | None:
        """The text of a value in its place; a constant's own place shows how it is refused."""
        try:
            compact = bool(self.matching.constants) and not self._is_constant(slot)
            said = self.matching.text_of(slot.wrap(value), compact)
        except (RecursionError, TypeError, ValueError, KeyError, AttributeError, ArithmeticError):
            return None
        if said is None or len(said[0]) > _MOST_TEXT:
            return None
        return said

    def _is_constant(self, slot: Slot) -> bool:
        schema = flat(slot.schema, self.schema) if isinstance(slot.schema, Mapping) else {}
        return bool(constant_values(schema))

    def _escaped(self, slot: Slot, meant: Any) -> None:
        """The same value with its letters as escapes."""
        if self.matching.style != "json":
            return
        text = self.matching.constants.compact(json.dumps(meant))
        if text not in self.seen:
            self.seen.add(text)
            if not self.matching.accepts(text):
                self._keep_refusal(slot, text, meant, "unicode escape", True)

    def _keep_drop(self, slot: Slot, text: str, value: Any, stress: str, *, formats: bool) -> None:
        if self._full("drops"):
            self.result.complete = False
            return
        kind = (stress, slot.pointer)
        self.alike[kind] += 1
        if self.alike[kind] > _ALIKE:
            return  # to name the error costs more than to find it
        keyword, pointer, message = self.judge.first_error(value, formats=formats)
        key = ("drops", keyword, pointer)
        if key in self.found or (self.cut and pointer in _CLOSED):
            return  # a second parameter that the grammar took for a part of a string
        self.found.add(key)
        self.result.mismatches.append(
            Mismatch("drops", keyword, pointer, stress, text, value, message[:300], None, formats)
        )

    def _keep_refusal(self, slot: Slot, text: str, value: Any, stress: str, sound: bool) -> None:
        if self._full("forbids"):
            self.result.complete = False
            return
        label = stress if sound else "value"
        position = self.matching.position(text)
        pointer = slot.pointer
        if label == "value" and self.matching.style == "json":
            pointer = refusing_node(self.schema, "", value, position)
        key = ("forbids", label, pointer)
        if key in self.found:
            return
        self.alike["forbids", label] += 1
        if label in ONCE_A_TOOL and self.alike["forbids", label] > _ALIKE:
            return
        self.found.add(key)
        by_format = not self.judge.formats_surely_hold(value)
        self.result.mismatches.append(
            Mismatch("forbids", "", pointer, stress, text, value, "", position, by_format)
        )

    def _settle(self, slot: Slot) -> bool:
        """Find a value of this node that the grammar accepts, and use it from now on."""
        first = self.maker.minimal(slot.schema)
        if self._accepted(slot, first):
            return True
        best, far = first, -1
        for value in self._alternatives(slot):
            said = self._said(slot, value)
            if said is None or self.judge.allows(said[1]) is False:
                continue
            self.attempt(slot, value, "value")
            if self.matching.accepts(said[0]):
                self.maker.prefer(slot.schema, value)
                return True
            position = self.matching.position(said[0])
            if position > far:
                best, far = value, position
        if best is not first:
            self.maker.prefer(slot.schema, best)
        return False

    def _accepted(self, slot: Slot, value: Any) -> bool:
        said = self._said(slot, value)
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
