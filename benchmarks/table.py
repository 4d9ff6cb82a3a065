"""The table that is checked into the docs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """One line of the table."""

    what: str
    ours: str
    peer: str
    ratio: str
    goal: str
    holds: bool


def seconds_at_most(
    what: str, ours: float, peer: tuple[str, float], goal: float, places: int = 2
) -> Result:
    """Seconds against those of a named peer, of which they may be so many times at most."""
    name, theirs = peer
    return Result(
        what=what,
        ours=f"{ours:.2f} s",
        peer=f"{name}: {theirs:.2f} s",
        ratio=f"{ours / theirs:.{places}f}",
        goal=f"at most {goal}",
        holds=ours / theirs <= goal,
    )


def markdown(results: Iterable[Result]) -> str:
    """The results as a Markdown table."""
    lines = ["| what | structag | peer | ratio | goal | holds |", "|---|---|---|---|---|---|"]
    for r in results:
        holds = "yes" if r.holds else "no"
        lines.append(f"| {r.what} | {r.ours} | {r.peer} | {r.ratio} | {r.goal} | {holds} |")
    return "\n".join(lines)
