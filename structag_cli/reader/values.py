"""What is read from a text, and what is rendered to one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """A call to render."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ReadCall:
    """A call found in a text.

    ``arguments`` is ``None`` where they cannot be read. ``span`` is the call's place in
    the text, in characters. ``faults`` says what is odd about it.
    """

    name: str
    arguments: dict[str, Any] | None
    raw: str
    span: tuple[int, int]
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a text that looks like a call and is none."""

    what: str
    position: int


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything that is read from a text.

    ``content`` is the text outside calls, without white space around it. ``truncated``:
    the text ends inside a call.
    """

    content: str
    calls: tuple[ReadCall, ...]
    problems: tuple[Problem, ...] = ()
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Parsed:
    """Arguments read by a style: where they end, and what is wrong with them.

    ``arguments`` is ``None`` where they cannot be read; ``truncated`` where the text
    ended before they did. ``failed`` is where reading failed, if that is known.
    """

    arguments: dict[str, Any] | None
    end: int
    faults: tuple[str, ...] = ()
    truncated: bool = False
    failed: int | None = None
