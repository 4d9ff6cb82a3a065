"""Text to calls: what a parser of this format reads from an output."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from structag_cli.formats.model import Grammar
from structag_cli.reader.patterns import CallPattern, call_patterns
from structag_cli.reader.styles import style_named
from structag_cli.reader.styles.json_style import decode_at
from structag_cli.reader.values import Parsed, Problem, ReadCall, Reading


def read_calls(grammar: Grammar, text: str, *, tools: Mapping[str, Any] | None = None) -> Reading:
    """The calls that a text holds, wherever they stand in it.

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
        self.grammar = grammar
        self.text = text
        self.tools = tools
        self.calls: list[ReadCall] = []
        self.problems: list[Problem] = []
        self.spans: list[tuple[int, int]] = []
        self.truncated = False
        self.patterns = call_patterns(grammar)

    def run(self) -> None:
        at = self._start()
        while at is not None and at < len(self.text):
            found = self._next(at)
            if found is None:
                break
            pattern, start, after = found
            at = self._read(pattern, start, after)
        self._look_for_a_cut()

    def _start(self) -> int | None:
        """Where calls may stand: anywhere, or from the block's opening on."""
        block = self.grammar.block
        if block is None:
            return 0
        opened = self.text.find(block.begin.strip())
        return None if opened < 0 else opened + len(block.begin.strip())

    def _next(self, at: int) -> tuple[CallPattern, int, int] | None:
        """The first call from ``at`` on; of two that start together, the longer mark."""
        best: tuple[int, int, CallPattern] | None = None
        for pattern in self.patterns:
            match = pattern.begin.search(self.text, at)
            if match and (best is None or (match.start(), -match.end()) < best[:2]):
                best = (match.start(), -match.end(), pattern)
        return None if best is None else (best[2], best[0], -best[1])

    def _read(self, pattern: CallPattern, start: int, after: int) -> int:
        """Read one call; returns where to go on."""
        if pattern.envelope is not None:
            name, parsed = self._enveloped(pattern, after)
        else:
            match = pattern.begin.match(self.text, start)
            name = match.group("name") if match else None
            parsed = style_named(pattern.call.style).parse(
                self.text, after, self.tools.get(name or "", True)
            )
        if parsed.truncated:
            self.truncated = True
            self._span(start, len(self.text))
            return len(self.text)
        if name is None:
            if pattern.first:
                self.problems.append(Problem("; ".join(parsed.faults) or "no call", start))
            return after + 1 if after > start else start + 1
        return self._finish(pattern, name, parsed, start)

    def _enveloped(self, pattern: CallPattern, at: int) -> tuple[str | None, Parsed]:
        value, end, faults, truncated = decode_at(self.text, at)
        # Without a mark any brace may be meant: a cut there says nothing.
        if truncated and pattern.first:
            return None, Parsed(None, end, faults, truncated=True)
        envelope = pattern.envelope
        if envelope is None or not isinstance(value, dict):
            return None, Parsed(None, end, faults or ("no object",))
        name, arguments = value.get(envelope.name), value.get(envelope.arguments)
        if not isinstance(name, str):
            return None, Parsed(None, end, (f"no {envelope.name}",))
        if not isinstance(arguments, dict):
            return name, Parsed(None, end, (*faults, f"no {envelope.arguments} object"))
        return name, Parsed(arguments, end, faults)

    def _finish(self, pattern: CallPattern, name: str, parsed: Parsed, start: int) -> int:
        faults = parsed.faults
        match = pattern.end.match(self.text, parsed.end)
        end = match.end() if match else parsed.end
        if match is None:
            rest = self.text[parsed.end :].strip()
            if rest in ("", pattern.last[: len(rest)]):
                self.truncated = True
                end = len(self.text)
            else:
                faults = (*faults, f"no {pattern.last!r} after the arguments")
        raw = self.text[start:end]
        self.calls.append(ReadCall(name, parsed.arguments, raw, (start, end), faults))
        self._span(start, end)
        return end

    def _span(self, start: int, end: int) -> None:
        self.spans.append((start, end))

    def _look_for_a_cut(self) -> None:
        """A text that ends in the first part of a mark was cut there."""
        tail = self.text[self.spans[-1][1] if self.spans else 0 :]
        block = self.grammar.block
        if block is not None and block.begin.strip() in self.text:
            opened = self.text.rfind(block.begin.strip())
            if block.end.strip() not in self.text[opened:]:
                self.truncated = True
        if any(_ends_inside(tail, mark) for mark in self._marks()):
            self.truncated = True

    def _marks(self) -> Iterator[str]:
        yield from (pattern.first for pattern in self.patterns if pattern.first)
        if self.grammar.block is not None:
            yield self.grammar.block.begin.strip()

    def content(self) -> str:
        """The text outside calls, without block marks and separators."""
        parts, at = [], 0
        for start, end in self.spans:
            parts.append(self.text[at:start])
            at = end
        parts.append(self.text[at:])
        separator = self.grammar.separator.strip()
        between = ["" if part.strip() == separator else part for part in parts[1:-1]]
        joined = [*parts[:1], *between, *parts[-1:]] if len(parts) > 1 else parts
        block = self.grammar.block
        if block is not None and self.spans:
            marks = (block.begin.strip(), block.end.strip())
            joined = [_without(part, marks) for part in joined]
        return "".join(joined).strip()


def _ends_inside(text: str, mark: str) -> bool:
    """Whether a text ends in the first part of a mark, or in the name that follows it."""
    text = text.rstrip()
    if any(text.endswith(mark[:size]) for size in range(2, len(mark) + 1)):
        return True
    at = text.rfind(mark)
    return at >= 0 and re.fullmatch(r"[\w.-]*", text[at + len(mark) :]) is not None


def _without(text: str, marks: tuple[str, ...]) -> str:
    for mark in marks:
        text = text.replace(mark, "", 1)
    return text
