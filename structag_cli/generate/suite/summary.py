"""The figures of a suite."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from structag_cli.generate.suite.record import Record

VERSION = 1
"""Version of the JSON report."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many of those that can be judged pass."""

    passed: int
    judged: int

    @property
    def text(self) -> str:
        """As people read it."""
        if not self.judged:
            return "not judged"
        return f"{self.passed} of {self.judged} ({self.passed / self.judged:.1%})"

    def to_json(self) -> dict[str, Any]:
        """Counts and share (``None`` where nothing was judged)."""
        share = round(self.passed / self.judged, 4) if self.judged else None
        return {"passed": self.passed, "judged": self.judged, "share": share}


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures over all records; ``seconds`` of decoding, prompts included.

    ``forced`` is ``None`` where a server answered, which does not say.
    """

    outputs: int
    errors: int
    format_valid: Share
    schema_valid: Share
    honoured: Share
    right_tools: Share
    right_arguments: Share
    tokens: int
    forced: int | None
    seconds: float

    @property
    def shares(self) -> tuple[tuple[str, Share], ...]:
        """The figures with their names, in the order of the table."""
        return (
            ("format valid", self.format_valid),
            ("schema valid", self.schema_valid),
            ("request honoured", self.honoured),
            ("right tools", self.right_tools),
            ("right arguments", self.right_arguments),
        )

    @property
    def tokens_per_second(self) -> float:
        """Output tokens a second, prompt processing included."""
        return self.tokens / self.seconds if self.seconds else 0.0

    @property
    def forced_share(self) -> float | None:
        """Share of the tokens that the grammar left no choice about."""
        if self.forced is None:
            return None
        return self.forced / self.tokens if self.tokens else 0.0

    def to_json(self) -> dict[str, Any]:
        """The contract of ``summary`` in the JSON report."""
        return {
            "outputs": self.outputs,
            "errors": self.errors,
            **{name.replace(" ", "_"): share.to_json() for name, share in self.shares},
            "tokens": self.tokens,
            "forced_share": None if self.forced_share is None else round(self.forced_share, 4),
            "seconds": round(self.seconds, 3),
            "tokens_per_second": round(self.tokens_per_second, 2),
        }


def summarize(records: Sequence[Record]) -> Summary:
    """The figures of these records."""
    return Summary(
        outputs=len(records),
        errors=sum(record.error is not None for record in records),
        format_valid=_share(record.format_valid for record in records),
        schema_valid=_share(record.schema_valid for record in records),
        honoured=_share(record.honoured for record in records),
        right_tools=_share(record.right_tools for record in records),
        right_arguments=_share(record.right_arguments for record in records),
        tokens=sum(record.tokens for record in records),
        forced=_forced(records),
        seconds=sum(record.seconds for record in records),
    )


def _forced(records: Sequence[Record]) -> int | None:
    known = [record.forced for record in records if record.forced is not None]
    return sum(known) if len(known) == len(records) else None


def _share(verdicts: Iterable[bool | None]) -> Share:
    judged = [verdict for verdict in verdicts if verdict is not None]
    return Share(sum(judged), len(judged))
