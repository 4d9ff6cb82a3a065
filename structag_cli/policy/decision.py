"""The decision for one request, with the reason as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from structag_cli.place import Place

Outcome = Literal["structural_tag", "ban", "guided_json", "unconstrained", "error"]


@dataclass(frozen=True, slots=True)
class Reason:
    """One step of the decision.

    ``rule`` is a stable code (``choice-required``, ``scope-auto-strict``, ...),
    ``text`` says it in words, ``setting`` names the flag or request field that
    settled it, ``place`` is where that field stands, if it stands in a file.
    """

    rule: str
    text: str
    setting: str = ""
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class ToolPlan:
    """A tool in the tag and the schema its arguments get (``True``: any object)."""

    name: str
    schema: Any
    why: str


@dataclass(frozen=True, slots=True)
class TagPlan:
    """What the builder needs beside the grammar."""

    tools: tuple[ToolPlan, ...]
    at_least_one: bool
    stop_after_first: bool
    after_reasoning: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """What the engine will receive for one request, and why.

    Exactly one of ``plan`` (for ``structural_tag``), ``ban`` (for ``ban``),
    ``guided_json`` and ``error`` is set; none is for ``unconstrained``.
    """

    outcome: Outcome
    reasons: tuple[Reason, ...]
    plan: TagPlan | None = None
    ban: tuple[str, ...] = ()
    guided_json: Any = None
    error: str | None = None

    @property
    def reason(self) -> str:
        """The last and deciding reason, in words."""
        return self.reasons[-1].text if self.reasons else ""
