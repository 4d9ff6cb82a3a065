"""When to try again: exponential back-off with jitter, or when the server says."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from structag_cli.endpoint.faults import ServerFault

FIRST = 0.5
"""Seconds before the first new try."""
LONGEST = 30.0
"""Most seconds that back-off waits."""
PATIENCE = 120.0
"""Most seconds that a server's ``Retry-After`` is heeded; more is as good as a refusal."""


@dataclass(frozen=True, slots=True)
class Retries:
    """How often to try again. The spread keeps many clients from coming back at once."""

    most: int = 3
    chance: random.Random = field(default_factory=random.Random)

    def wait(self, fault: ServerFault, tried: int) -> float | None:
        """Seconds to wait before the next try; ``None`` to give up.

        Args:
            fault: what went wrong.
            tried: how many tries there have been after the first.
        """
        if not fault.again or tried >= self.most:
            return None
        if fault.after is not None:
            return None if fault.after > PATIENCE else fault.after * self.chance.uniform(1.0, 1.1)
        back_off: float = min(FIRST * 2.0**tried, LONGEST)
        return back_off * self.chance.uniform(0.5, 1.0)
