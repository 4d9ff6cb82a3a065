"""A streamed answer, put together from its events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


class NotACompletion(Exception):
    """An event is JSON, and no chunk of a completion."""


@dataclass(frozen=True, slots=True)
class ServedCall:
    """A call that the server's parser found; ``arguments`` is text that should be JSON."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered.

    ``finish`` is its own word for the end. Token counts are ``None`` where it does not
    say. ``reasoning`` is what its reasoning parser took out of the text.
    """

    text: str
    reasoning: str
    calls: tuple[ServedCall, ...]
    finish: str
    prompt_tokens: int | None
    tokens: int | None
    seconds: float
    first_seconds: float | None


@dataclass(slots=True)
class _Call:
    name: str = ""
    identity: str = ""
    pieces: list[str] = field(default_factory=list)


class Assembly:
    """Takes chunks of ``/chat/completions`` and ``/completions``, streamed or whole."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._calls: dict[int, _Call] = {}
        self.finish: str | None = None
        self.prompt_tokens: int | None = None
        self.tokens: int | None = None

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._text)

    @property
    def begun(self) -> bool:
        """Whether anything of the model's output has come."""
        return bool(self._text or self._reasoning or self._calls)

    def add(self, chunk: Any) -> str:
        """Take a chunk; returns the text that is new.

        Raises:
            NotACompletion: it is something else.
        """
        if not isinstance(chunk, Mapping):
            raise NotACompletion
        self._count(chunk.get("usage"))
        choices = chunk.get("choices")
        if not isinstance(choices, list):
            if chunk.get("usage") is None:
                raise NotACompletion
            choices = []
        before = len(self._text)
        for choice in choices:
            if not isinstance(choice, Mapping):
                raise NotACompletion
            if choice.get("index", 0) == 0:
                self._choice(choice)
        return "".join(self._text[before:])

    def _count(self, usage: Any) -> None:
        if not isinstance(usage, Mapping):
            return
        self.prompt_tokens = _whole(usage.get("prompt_tokens"), self.prompt_tokens)
        self.tokens = _whole(usage.get("completion_tokens"), self.tokens)

    def _choice(self, choice: Mapping[str, Any]) -> None:
        part = choice.get("delta") or choice.get("message") or choice
        if not isinstance(part, Mapping):
            raise NotACompletion
        self._text += _texts(part.get("content"))
        self._text += _texts(part.get("text"))
        # One of the two: some servers send the same under both names.
        self._reasoning += _texts(part.get("reasoning_content") or part.get("reasoning"))
        for delta in part.get("tool_calls") or ():
            self._delta(delta)
        if isinstance(choice.get("finish_reason"), str):
            self.finish = choice["finish_reason"]

    def _delta(self, delta: Any) -> None:
        if not isinstance(delta, Mapping):
            raise NotACompletion
        call = self._calls.setdefault(self._index(delta), _Call())
        call.identity = call.identity or str(delta.get("id") or "")
        function = delta.get("function")
        if not isinstance(function, Mapping):
            return
        # The name comes once; servers that repeat it repeat the whole of it.
        if isinstance(function.get("name"), str) and not call.name:
            call.name = function["name"]
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            call.pieces.append(arguments)
        elif arguments is not None:
            call.pieces.append(json.dumps(arguments, ensure_ascii=False))

    def _index(self, delta: Mapping[str, Any]) -> int:
        """Which call a delta goes on with; a whole message numbers none of them."""
        index = delta.get("index")
        if isinstance(index, int) and not isinstance(index, bool):
            return index
        last = max(self._calls, default=-1)
        identity = delta.get("id")
        new = last < 0 or (identity and identity != self._calls[last].identity)
        return last + 1 if new else last

    def answer(self, seconds: float, first: float | None) -> Answer:
        """All of it."""
        calls = (self._calls[index] for index in sorted(self._calls))
        return Answer(
            text=_paired(self.text),
            reasoning=_paired("".join(self._reasoning)),
            calls=tuple(
                ServedCall(_paired(call.name), _paired("".join(call.pieces))) for call in calls
            ),
            finish=self.finish or "",
            prompt_tokens=self.prompt_tokens,
            tokens=self.tokens,
            seconds=seconds,
            first_seconds=first,
        )


def _texts(content: Any) -> Iterator[str]:
    """The texts of a content: a string, or parts."""
    if isinstance(content, str):
        if content:
            yield content
    elif isinstance(content, list):
        for part in content:
            if isinstance(part, Mapping):
                yield from _texts(part.get("text"))


def _paired(text: str) -> str:
    """Surrogates that came in two pieces as one character, lone ones replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _whole(value: Any, known: int | None) -> int | None:
    good = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if good else known
