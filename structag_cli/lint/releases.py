"""Which features of a tag each release of xgrammar has: measured on probes, kept as data."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

from structag_cli.errors import UsageError


@cache
def _releases() -> dict[str, Any]:
    text = files("structag_cli.lint").joinpath("xgrammar_releases.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def known_releases() -> list[str]:
    """The releases of xgrammar that have been measured, the oldest first."""
    found: list[str] = _releases()["versions"]
    return found


def measured(release: str) -> str:
    """The newest measured release that is not newer than this one.

    Raises:
        UsageError: the release is older than all of them.
    """
    known = known_releases()
    below = [each for each in known if _key(each) <= _key(release)]
    if not below:
        raise UsageError(
            f"nothing is known of xgrammar {release}", mend=f"from {known[0]} to {known[-1]}"
        )
    return below[-1]


def _key(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", release))


def status(feature: str, release: str) -> str:
    """What a release does with a feature: ``works``, ``rejected``, ``accepted-but-wrong``."""
    word = "works"
    for since, state in _releases()["features"].get(feature, ()):
        if _key(since) <= _key(release):
            word = state
    return word


def works_since(feature: str) -> str | None:
    """From which release on a feature works; ``None`` where it does in none."""
    since, state = _releases()["features"][feature][-1]
    return str(since) if state == "works" else None
