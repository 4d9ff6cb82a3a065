"""Text to calls: what a parser of this format reads from an output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from structag_cli.formats.model import Grammar
from structag_cli.reader.cuts import ends_inside, may_go_on, rest_of, squeezed
from structag_cli.reader.json_text import TOO_DEEP, decode_at
from structag_cli.reader.patterns import (
    BlockPattern,
    CallPattern,
    block_pattern,
    call_patterns,
)
from structag_cli.reader.styles import style_named
from structag_cli.reader.values import Parsed, Problem, ReadCall, Reading


def read_calls(grammar: Grammar, text: str, *, tools: Mapping[str, Any] | None = None) -> Reading:
    """The calls that a text holds, wherever they stand in it.

    White space between marks, and around JSON, may be more, less or none, as in the
    engines' own parsers; marks, names and what a value holds are taken as they are. A
    value ends at its first closing mark. Text inside a model's reasoning is text like any
    other: take the reasoning off first.

    Args:
        grammar: the format.
        text: a model's output.
        tools: parameters by tool name; styles without types decode values by them.
    """
    scan = _Scan(grammar, text, tools or {})
    scan.run()
    return Reading(
        content=scan.content(),
        calls=tuple(scan.calls),
        problems=tuple(scan.problems),
        truncated=scan.truncated,
    )


class _Scan:
    """One pass over a text."""

    def __init__(self, grammar: Grammar, text: str, tools: Mapping[str, Any]) -> None:
        self.text = text
        self.tools = tools
        self.calls: list[ReadCall] = []
        self.problems: list[Problem] = []
        self.spans: list[tuple[int, int]] = []
        self.marks: list[tuple[int, int]] = []
        self.truncated = False
        self.grammar = grammar
        self.patterns = call_patterns(grammar)
        self.upcoming: dict[int, tuple[int, int] | None] = {}

    def run(self) -> None:
        """Read everything."""
        if self.grammar.block is None:
            self._calls(0)
        else:
            self._blocks(block_pattern(self.grammar.block))
        after = self.spans[-1][1] if self.spans else 0
        if ends_inside(self.text[after:], self.grammar):
            self.truncated = True

    def _blocks(self, block: BlockPattern) -> None:
        """Calls stand in blocks alone; one outside is none."""
        at = 0
        while opened := block.begin.search(self.text, at):
            self._stray(at, opened.start())
            self.marks.append(opened.span())
            at = self._calls(opened.end(), block)
        self._stray(at, len(self.text))

    def _stray(self, start: int, stop: int) -> None:
        for pattern in self.patterns:
            if pattern.first and (match := pattern.begin.search(self.text, start, stop)):
                self.problems.append(Problem("a call outside the block of calls", match.start()))

    def _calls(self, at: int, block: BlockPattern | None = None) -> int:
        """Calls up to the end of their block, if they stand in one; returns where to go on."""
        closed = block and block.end.search(self.text, at)
        while True:
            found = self._next(at)
            if block and closed and closed.start() < at:
                closed = block.end.search(self.text, at)
            if found is None or (closed and closed.start() < found[1]):
                break
            at = self._read(*found)
        if block is None or self.truncated:
            return len(self.text)
        if closed:
            self.marks.append(closed.span())
            return closed.end()
        if may_go_on(self.text[at:], block.last, self.grammar):
            self.truncated = True
        else:
            self.problems.append(Problem(f"no {block.last!r} after the calls", at))
        return len(self.text)

    def _next(self, at: int) -> tuple[CallPattern, int, int] | None:
        """The first call from ``at`` on; of two that start together, the longer mark."""
        best: tuple[int, int, int] | None = None
        for index in range(len(self.patterns)):
            found = self._first(index, at)
            if found and (best is None or (found[0], -found[1]) < best[:2]):
                best = (found[0], -found[1], index)
        return None if best is None else (self.patterns[best[2]], best[0], -best[1])

    def _first(self, index: int, at: int) -> tuple[int, int] | None:
        """Where a pattern matches next, found once however often it is asked for."""
        known = self.upcoming.get(index, (-1, -1))
        if known is not None and known[0] < at:
            match = self.patterns[index].begin.search(self.text, at)
            known = None if match is None else match.span()
            self.upcoming[index] = known
        return known

    def _read(self, pattern: CallPattern, start: int, after: int) -> int:
        """Read one call; returns where to go on."""
        if pattern.envelope is not None:
            name, parsed = self._enveloped(pattern, after)
        else:
            match = pattern.begin.match(self.text, start)
            name = match.group("name") if match else None
            schema = self.tools.get(name or "", True)
            parsed = style_named(pattern.call.style).parse(self.text, after, schema)
        if parsed.truncated:
            return self._unfinished(pattern, name, parsed, start, after)
        if name is None:
            too_deep = TOO_DEEP in parsed.faults
            if pattern.first or too_deep:
                self._problem(parsed, start)
            # Each brace within would be tried in vain.
            return len(self.text) if too_deep else max(after, start + 1)
        return self._finish(pattern, name, parsed, start)

    def _unfinished(
        self, pattern: CallPattern, name: str | None, parsed: Parsed, start: int, after: int
    ) -> int:
        """Arguments without an end: cut by the end of the text, or broken where it goes on."""
        closed = pattern.closing and pattern.closing.search(self.text, after)
        if closed is None:
            self.truncated = True
            self.spans.append((start, len(self.text)))
            return len(self.text)
        if name is None:
            self._problem(parsed, start)
            return closed.end()
        return self._add(name, replace(parsed, arguments=None, end=closed.end()), start)

    def _problem(self, parsed: Parsed, start: int) -> None:
        """Note what is no call, at the place that makes it none."""
        at = start if parsed.failed is None else parsed.failed
        self.problems.append(Problem("; ".join(parsed.faults) or "no call", at))

    def _enveloped(self, pattern: CallPattern, at: int) -> tuple[str | None, Parsed]:
        value, end, faults, truncated = decode_at(self.text, at)
        if truncated and self._certain(pattern, at):
            return None, Parsed(None, end, faults, truncated=True, failed=end)
        envelope = pattern.envelope
        if envelope is None or not isinstance(value, dict):
            failed = end if value is None and faults else None
            return None, Parsed(None, end, faults or ("no object",), failed=failed)
        name, arguments = value.get(envelope.name), value.get(envelope.arguments)
        if not isinstance(name, str):
            return None, Parsed(None, end, (f"no {envelope.name}",))
        if not isinstance(arguments, dict):
            return name, Parsed(None, end, (*faults, f"no {envelope.arguments} object"))
        return name, Parsed(arguments, end, faults)

    def _certain(self, pattern: CallPattern, at: int) -> bool:
        """Whether an object that opens here is meant as a call.

        Where no mark stands before it, any brace opens one; a block or a trigger decides.
        """
        if pattern.first or self.grammar.block is not None:
            return True
        return any(self.text.startswith(t.strip(), at) for t in self.grammar.triggers)

    def _finish(self, pattern: CallPattern, name: str, parsed: Parsed, start: int) -> int:
        match = pattern.end.match(self.text, parsed.end)
        if match is not None:
            return self._add(name, replace(parsed, end=match.end()), start)
        rest = rest_of(self.text, parsed.end)
        if rest is not None and squeezed(pattern.last).startswith(rest):
            self.truncated = True
            parsed = replace(parsed, end=len(self.text))
        else:
            fault = f"no {pattern.last!r} after the arguments"
            parsed = replace(parsed, faults=(*parsed.faults, fault))
        return self._add(name, parsed, start)

    def _add(self, name: str, parsed: Parsed, start: int) -> int:
        span = (start, parsed.end)
        raw = self.text[start : parsed.end]
        self.calls.append(ReadCall(name, parsed.arguments, raw, span, _placed(parsed)))
        self.spans.append(span)
        return parsed.end

    def content(self) -> str:
        """The text outside calls, without the marks and separators around them."""
        separator = self.grammar.separator.strip()
        first, *between = self._outside()
        last = between[-1:]
        between = ["" if part.strip() == separator else part for part in between[:-1]]
        return "".join([first, *between, *last]).strip()

    def _outside(self) -> Iterator[str]:
        at = 0
        for start, end in sorted([*self.spans, *self.marks]) if self.spans else ():
            yield self.text[at:start]
            at = end
        yield self.text[at:]


def _placed(parsed: Parsed) -> tuple[str, ...]:
    """The faults of a call; the first says where reading failed."""
    if parsed.failed is None:
        return parsed.faults
    first, *others = parsed.faults
    return (f"{first} at character {parsed.failed}", *others)
