"""Prompts compared token by token, over tool choices and over the turns of a conversation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from structag_cli.prefix.template import ChatTemplate
from structag_cli.prefix.tools import dynamo_tools
from structag_cli.request import ChoiceMode

Encode = Callable[[str], list[int]]

CHOICES: tuple[ChoiceMode, ...] = ("auto", "none", "required", "named")


@dataclass(frozen=True, slots=True)
class Turn:
    """One request of a conversation."""

    messages: tuple[Mapping[str, Any], ...]
    tools: tuple[Any, ...]
    choice: ChoiceMode


@dataclass(frozen=True, slots=True)
class Prompt:
    """A rendered prompt."""

    text: str
    ids: list[int]


@dataclass(frozen=True, slots=True)
class Parting:
    """Where two prompts part: the index of the first token that differs, and the tokens there."""

    index: int
    here: str
    there: str


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A tool choice with or without the exclusion, against the ``auto`` prompt."""

    choice: ChoiceMode
    exclude: bool
    tokens: int
    common: int
    reusable: int
    parting: Parting | None

    @property
    def share(self) -> float:
        """The part of the prompt that a cache which holds the ``auto`` prompt can serve."""
        return self.reusable / self.tokens if self.tokens else 1.0


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A turn of the conversation, against all turns before it."""

    number: int
    choice: ChoiceMode
    tokens: int
    reused: int

    @property
    def computed(self) -> int:
        """Tokens that the engine must compute."""
        return self.tokens - self.reused


@dataclass(slots=True)
class Renderer:
    """Renders and tokenizes, each prompt once."""

    template: ChatTemplate
    encode: Encode
    decode: Callable[[int], str]
    arguments: Mapping[str, Any] = field(default_factory=dict)
    block: int = 1
    _kept: dict[str, Prompt] = field(default_factory=dict)

    def prompt(self, turn: Turn, *, exclude: bool) -> Prompt:
        """What the engine receives for a turn."""
        return self._render(turn.messages, turn, exclude, generation=True)

    def _render(
        self, messages: Sequence[Mapping[str, Any]], turn: Turn, exclude: bool, *, generation: bool
    ) -> Prompt:
        hidden = exclude and turn.choice == "none"
        tools = [] if hidden else dynamo_tools(turn.tools)
        text = self.template.render(
            messages, tools, generation=generation, arguments=self.arguments
        )
        if text not in self._kept:
            self._kept[text] = Prompt(text, self.encode(text))
        return self._kept[text]

    def choices(self, turn: Turn) -> list[ChoiceRow]:
        """Every tool choice with and without the exclusion."""
        base = self.prompt(Turn(turn.messages, turn.tools, "auto"), exclude=True)
        rows = []
        for choice in CHOICES:
            for exclude in (True, False):
                prompt = self.prompt(Turn(turn.messages, turn.tools, choice), exclude=exclude)
                common = common_length(prompt.ids, base.ids)
                parting = None
                if common < max(len(prompt.ids), len(base.ids)):
                    here, there = self._token(prompt, common), self._token(base, common)
                    parting = Parting(common, here, there)
                rows.append(
                    ChoiceRow(
                        choice, exclude, len(prompt.ids), common, self._whole(common), parting
                    )
                )
        return rows

    def turns(self, turns: Sequence[Turn], *, exclude: bool) -> list[TurnRow]:
        """A conversation, whose cache holds every earlier prompt and the answers to them."""
        cached: list[list[int]] = []
        rows = []
        for number, turn in enumerate(turns, 1):
            prompt = self.prompt(turn, exclude=exclude)
            reused = max((common_length(prompt.ids, ids) for ids in cached), default=0)
            rows.append(TurnRow(number, turn.choice, len(prompt.ids), self._whole(reused)))
            cached.append(prompt.ids)
            answered = self._answered(turns, number, exclude)
            if answered is not None:
                cached.append(answered)
        return rows

    def _answered(self, turns: Sequence[Turn], number: int, exclude: bool) -> list[int] | None:
        """The turn's prompt with the answer that the next turn quotes."""
        turn = turns[number - 1]
        following = turns[number].messages if number < len(turns) else ()
        at = len(turn.messages)
        if at >= len(following) or following[at].get("role") != "assistant":
            return None
        prompt = self.prompt(turn, exclude=exclude)
        whole = self._render(following[: at + 1], turn, exclude, generation=False)
        # Templates that change what they wrote before (thoughts are dropped) share less.
        return whole.ids if whole.text.startswith(prompt.text) else None

    def _whole(self, tokens: int) -> int:
        return tokens - tokens % self.block

    def _token(self, prompt: Prompt, index: int) -> str:
        return self.decode(prompt.ids[index]) if index < len(prompt.ids) else ""


def common_length(one: Sequence[int], other: Sequence[int]) -> int:
    """How many leading tokens two prompts share."""
    limit = min(len(one), len(other))
    for index in range(limit):
        if one[index] != other[index]:
            return index
    return limit


def turns_of(
    messages: Sequence[Mapping[str, Any]], tools: Sequence[Any], choices: Sequence[ChoiceMode]
) -> list[Turn]:
    """The turns of one conversation: a request wherever an answer follows, and at the end.

    Args:
        messages: the whole conversation.
        tools: its tools, the same in every turn.
        choices: the tool choice of each turn, repeated if there are more turns.
    """
    ends = [
        at
        for at in range(1, len(messages) + 1)
        if at == len(messages) or messages[at].get("role") == "assistant"
    ]
    if messages and messages[-1].get("role") == "assistant":
        ends = ends[:-1] or ends
    return [
        Turn(tuple(messages[:end]), tuple(tools), choices[number % len(choices)])
        for number, end in enumerate(ends)
    ]
