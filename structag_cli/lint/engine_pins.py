"""Which xgrammar a release of an engine needs, as its package says."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from packaging.requirements import Requirement
from packaging.version import InvalidVersion, Version

from structag_cli.errors import UsageError

_ASK = "--target xgrammar==X, with what `pip show xgrammar` says beside the engine"


@dataclass(frozen=True, slots=True)
class Pin:
    """What a release of an engine needs.

    Args:
        engine: its name and release, for messages.
        needs: the requirement without its conditions: ``xgrammar<1.0.0,>=0.2.0``.
        oldest: the oldest xgrammar that it allows.
        exact: whether it allows no other.
    """

    engine: str
    needs: str
    oldest: str
    exact: bool


@cache
def pins(engine: str) -> dict[Version, str | None]:
    """The requirement of each known release, the oldest first; empty for unknown engines."""
    text = files("structag_cli.lint").joinpath("engine_pins.json").read_text("utf-8")
    known: dict[str, Any] = json.loads(text)["engines"]
    return {
        Version(release): pin["requires"]
        for pin in known.get(engine, {}).get("pins", ())
        for release in pin["releases"]
    }


def pin_of(engine: str, release: str) -> Pin:
    """What a release needs; one before a release, such as ``0.11.0rc1``, counts as that release.

    Raises:
        UsageError: the release is not known, or needs no xgrammar.
    """
    known = pins(engine)
    if not known:
        raise UsageError(
            f"the packages of {engine} do not say which xgrammar its releases need", mend=_ASK
        )
    asked = _version(engine, release)
    held = Version(asked.base_version) if asked.is_prerelease and asked not in known else asked
    if held not in known:
        raise UsageError(
            f"nothing is known of {engine} {release}", mend=f"{_nearest(held, known)}; or {_ASK}"
        )
    needs = known[held]
    if needs is None:
        first = next(each for each, text in known.items() if text is not None)
        raise UsageError(f"{engine} {held} needs no xgrammar", mend=f"{engine} has it from {first}")
    alias = "" if held == asked else f" (for {asked})"
    return _pin(f"{engine} {held}{alias}", needs)


@cache
def first_with(engine: str, xgrammar: str) -> str | None:
    """The first release of an engine from which on every one brings that xgrammar or a newer."""
    first = None
    for release, needs in reversed(pins(engine).items()):
        if needs is None or Version(_pin("", needs).oldest) < Version(xgrammar):
            break
        first = str(release)
    return first


def _pin(engine: str, text: str) -> Pin:
    requirement = Requirement(text)
    lowest = [each for each in requirement.specifier if each.operator in ("==", ">=", "~=")]
    found = max(lowest, key=lambda each: Version(each.version))
    needs = f"{requirement.name}{requirement.specifier}"
    return Pin(engine, needs, found.version, found.operator == "==")


def _version(engine: str, release: str) -> Version:
    try:
        return Version(Version(release).public)
    except InvalidVersion:
        raise UsageError(
            f"{release!r} is no release of {engine}", mend=f"such as {next(reversed(pins(engine)))}"
        ) from None


def _nearest(asked: Version, known: dict[Version, str | None]) -> str:
    """The known releases on both sides."""
    below = [each for each in known if each < asked][-1:]
    above = [each for each in known if each > asked][:1]
    near = " and ".join(map(str, [*below, *above]))
    return f"the nearest known: {near}"
