"""What the probe of one schema found: plain data that crosses a pipe as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

ONCE_A_TOOL = {
    *("property order", "order of a constant", "extra property", "property name", "number form"),
}
"""What is refused all over a tool where it is refused at all: reported once."""


CUT = "closing text"
CUT_INSIDE = "closing text inside JSON"
"""A string that a parser cuts at the text that ends a value of the style."""


@dataclass(slots=True)
class Mismatch:
    """An instance on which the schema and the grammar differ.

    ``effect`` is ``drops`` (the grammar takes what the schema forbids) or ``forbids``.
    ``keyword`` and ``pointer`` say where in the schema; ``stress`` what the instance was
    made for; ``position`` is the byte of the refusal. ``by_format``: only a ``format``,
    which JSON Schema lets validators ignore, makes the instance invalid.
    """

    effect: str
    keyword: str
    pointer: str
    stress: str
    text: str
    value: Any
    message: str = ""
    position: int | None = None
    by_format: bool = False


@dataclass(slots=True)
class ProbeResult:
    """All that is known of one schema in one style.

    ``error``: why it does not compile, ``error_pointer``: the node that is at fault.
    ``died``: the process crashed, or was ended because it ran away; ``compiled``: that was
    after the schema had compiled. ``note``: a fault of the probe itself.
    """

    error: str = ""
    error_pointer: str = ""
    seconds: float = 0.0
    size: int = 0
    warnings: list[str] = field(default_factory=list)
    mismatches: list[Mismatch] = field(default_factory=list)
    tried: int = 0
    complete: bool = True
    died: bool = False
    compiled: bool = False
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """As a JSON object."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> ProbeResult:
        """From what ``to_json`` gave."""
        mismatches = [Mismatch(**each) for each in value.pop("mismatches")]
        return cls(**value, mismatches=mismatches)
