"""What ``structag generate`` asks of a model, wherever that runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from structag_cli.commands.inputs import Inputs
    from structag_cli.generate.settings import Decoding


@dataclass(frozen=True, slots=True)
class Task:
    """One request, and how many outputs of it.

    ``live``: the text is shown as it comes. ``say`` takes what people should know.
    """

    inputs: Inputs
    settings: Decoding
    ban_mode: str
    count: int
    live: bool
    say: Callable[[str], None]
