"""One output against one tag."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from structag_cli.engine.text import TextGrammar, compile_text
from structag_cli.errors import UsageError
from structag_cli.pipeline import Answer
from structag_cli.reader import read_calls
from structag_cli.reader.verdicts import CallVerdict, Honours, honours, judge_calls
from structag_cli.request import ToolRequest
from structag_cli.watch import native_code

_NEAREST = 400
_EXPECTED = 24

ALMOST_ANY = "almost any character"
END = "<end of output>"
"""What stands among the expected texts for many texts, and for none."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where an output is refused: bytes from 0, lines and columns (in characters) from 1."""

    byte: int
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Checked:
    """The verdict on one output.

    ``accepted``: the tag accepts the whole of it (true where there is no tag).
    ``complete``: it is finished; false where it can still become an output: it was cut.
    ``expected``: what could stand at the refusal. ``nearest``: the accepted part and the
    text that must or may follow.
    """

    accepted: bool
    complete: bool
    position: Position | None
    before: str
    expected: tuple[str, ...]
    nearest: str
    calls: tuple[CallVerdict, ...]
    honours: Honours
    content: str
    problems: tuple[str, ...]
    tag: bool

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return (
            self.accepted
            and self.complete
            and all(call.valid for call in self.calls)
            and self.honours.tool_choice
            and self.honours.parallel_tool_calls
        )

    def to_json(self) -> dict[str, Any]:
        """The contract of one verdict in JSON output."""
        where = self.position
        return {
            "accepted": self.accepted,
            "complete": self.complete,
            "passed": self.passed,
            "tag": self.tag,
            "position": None
            if where is None
            else {"byte": where.byte, "line": where.line, "column": where.column},
            "before": self.before,
            "expected": list(self.expected),
            "nearest": self.nearest,
            "calls": [call.to_json() for call in self.calls],
            "content": self.content,
            "problems": list(self.problems),
            "honours": self.honours.to_json(),
        }


class Checker:
    """Compiles a request's tag once and checks outputs against it.

    Raises:
        UsageError: the parser has no grammar to read calls with.
        EngineError: xgrammar refuses the tag.
    """

    def __init__(self, request: ToolRequest, answer: Answer) -> None:
        if answer.grammar is None:
            raise UsageError(
                "this parser has no grammar, so its calls cannot be read",
                mend="--grammar FILE gives your own",
            )
        self.grammar = answer.grammar
        self.request = request
        self.compiled: TextGrammar | None = None
        if answer.tag is not None:
            self.compiled = compile_text(answer.tag.to_json())

    def check(self, text: str) -> Checked:
        """The verdict on one output."""
        reading = read_calls(self.grammar, text, tools=self.request.schemas)
        accepted, prefix, byte = True, True, 0
        if self.compiled is not None:
            found = self.compiled.check(text)
            accepted, prefix, byte = found.accepted, found.prefix, found.position
        cut = (prefix and not accepted) or (self.compiled is None and reading.truncated)
        refused = not accepted and not cut
        data = text.encode()
        good = data[:byte].decode(errors="ignore") if refused else text
        wanted, nearest = self._continuation(good) if refused or cut else ((), "")
        return Checked(
            accepted=accepted,
            complete=not cut,
            position=_position(data, byte) if refused else None,
            before=good[-60:] if refused else "",
            expected=wanted,
            nearest=nearest,
            calls=judge_calls(reading, self.request),
            honours=honours(reading, self.request),
            content=reading.content,
            problems=tuple(f"{p.what} at character {p.position}" for p in reading.problems),
            tag=self.compiled is not None,
        )

    def _continuation(self, good: str) -> tuple[tuple[str, ...], str]:
        """What may follow the accepted part: the bytes allowed next, and the forced text."""
        if self.compiled is None:
            return (), ""
        with native_code():
            matcher = self.compiled.matcher()
            if good and not matcher.accept_string(good):
                return (), ""
            forced = str(matcher.find_jump_forward_string())[:_NEAREST]
            if forced:
                return (forced,), good[-60:] + forced
            return _allowed(self.compiled, good), ""


def _allowed(compiled: TextGrammar, good: str) -> tuple[str, ...]:
    """Characters, and the end, that are allowed after a text."""
    matcher = compiled.matcher()
    if good and not matcher.accept_string(good):
        return ()
    found = list(islice(_characters(matcher), _EXPECTED + 1))
    if len(found) > _EXPECTED:
        return (ALMOST_ANY,)
    if matcher.accept_token(compiled.stop_id):
        found.append(END)
    return tuple(found)


def _characters(matcher: Any) -> Iterator[str]:
    """The characters that a matcher allows next, ASCII first; it is left as it was."""
    for lead in (*range(33, 127), 10, 32, *range(0xC2, 0xF5)):
        yield from _completed(matcher, bytes([lead]))


def _completed(matcher: Any, begun: bytes) -> Iterator[str]:
    """The allowed characters whose UTF-8 begins with some bytes, the last of them not yet fed."""
    if not matcher.accept_token(begun[-1]):
        return
    try:
        if len(begun) == _length(begun[0]):
            yield begun.decode(errors="ignore")
        else:
            for byte in range(0x80, 0xC0):
                yield from _completed(matcher, begun + bytes([byte]))
    finally:
        matcher.rollback(1)


def _length(lead: int) -> int:
    """How many bytes of UTF-8 a character has, by its first."""
    return 1 + (lead >= 0xC2) + (lead >= 0xE0) + (lead >= 0xF0)


def _position(data: bytes, byte: int) -> Position:
    before = data[:byte].decode(errors="ignore")
    line = before.count("\n") + 1
    return Position(byte, line, len(before) - (before.rfind("\n") + 1) + 1)
