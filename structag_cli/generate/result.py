"""What a generation gave, and whether every promise was kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from structag_cli.reader.verdicts import CallVerdict, Honours

VERSION = 1
"""Version of the JSON that ``generate --format json`` writes."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text whose tokens came about in the same way."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class Stats:
    """Figures of one generation; times in seconds (``None``: not known), memory in MiB."""

    tokens: int
    prompt_tokens: int
    forced: int
    constrained: int
    free: int
    passes: int
    guessed: int
    kept: int
    seconds: dict[str, float | None]
    total: float
    peak_memory_mib: float

    @property
    def tokens_per_second(self) -> float:
        """Output tokens a second, prompt processing included."""
        return self.tokens / self.total if self.total else 0.0

    @property
    def forced_share(self) -> float:
        """Share of the tokens that the grammar left no choice about."""
        return self.forced / self.tokens if self.tokens else 0.0

    def to_json(self) -> dict[str, Any]:
        """The contract of ``stats`` in JSON output."""
        return {
            "tokens": self.tokens,
            "prompt_tokens": self.prompt_tokens,
            "forced": self.forced,
            "constrained": self.constrained,
            "free": self.free,
            "forced_share": round(self.forced_share, 4),
            "tokens_per_second": round(self.tokens_per_second, 2),
            "forward_passes": self.passes,
            "guessed": self.guessed,
            "guesses_kept": self.kept,
            "seconds": {
                "total": round(self.total, 4),
                **{key: None if s is None else round(s, 4) for key, s in self.seconds.items()},
            },
            "peak_memory_mib": round(self.peak_memory_mib, 1),
        }


@dataclass(frozen=True, slots=True)
class ServedStats:
    """Figures of one answer of a server, which tells less; ``None`` is not known.

    ``first_token``: seconds until the first text, reasoning or call came.
    """

    tokens: int | None
    prompt_tokens: int | None
    total: float
    first_token: float | None
    forced: None = None

    @property
    def tokens_per_second(self) -> float | None:
        """Output tokens a second, prompt processing and network included."""
        return None if self.tokens is None or not self.total else self.tokens / self.total

    def to_json(self) -> dict[str, Any]:
        """The contract of ``stats`` in JSON output: the keys of a local model's."""
        speed, first = self.tokens_per_second, self.first_token
        return {
            "tokens": self.tokens,
            "prompt_tokens": self.prompt_tokens,
            "forced": None,
            "constrained": None,
            "free": None,
            "forced_share": None,
            "tokens_per_second": None if speed is None else round(speed, 2),
            "forward_passes": None,
            "guessed": None,
            "guesses_kept": None,
            "seconds": {
                "total": round(self.total, 4),
                "first_token": None if first is None else round(first, 4),
            },
            "peak_memory_mib": None,
        }


@dataclass(frozen=True, slots=True)
class Generation:
    """One output with its verdicts.

    ``accepted``: the whole text is a finished output of the tag; ``None`` without a tag and
    where it cannot be told. ``token_ids`` is
    ``None`` where a server keeps them. ``problems``: what looks like a call and cannot be
    read.
    """

    text: str
    token_ids: tuple[int, ...] | None
    finish_reason: str
    accepted: bool | None
    content: str
    calls: tuple[CallVerdict, ...]
    honours: Honours
    stats: Stats | ServedStats
    segments: tuple[Segment, ...] = field(default=())
    problems: tuple[str, ...] = ()

    @property
    def broken(self) -> tuple[str, ...]:
        """Promises that were not kept, each in words."""
        found: list[str] = []
        if self.finish_reason == "length":
            found.append("cut at the token limit (--max-new-tokens)")
        elif self.finish_reason != "stop":
            found.append(f"the server ended the output: {self.finish_reason}")
        elif self.accepted is False:
            found.append("the tag does not accept the output")
        found += self.problems
        for call in self.calls:
            found += [f"{call.name}: {error}" for error in call.errors]
        return (*found, *self.honours.why)

    def to_json(self) -> dict[str, Any]:
        """The contract of ``generate --format json``."""
        return {
            "version": VERSION,
            "text": self.text,
            "token_ids": None if self.token_ids is None else list(self.token_ids),
            "finish_reason": self.finish_reason,
            "accepted": self.accepted,
            "content": self.content,
            "calls": [call.to_json() for call in self.calls],
            "honours": self.honours.to_json(),
            "broken": list(self.broken),
            "stats": self.stats.to_json(),
        }
