"""Profiles: one engine release's policy as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from structag_cli.errors import UsageError


@dataclass(frozen=True, slots=True)
class Profile:
    """What differs between releases.

    ``name`` is what ``--profile`` takes. ``on_by_default`` is the release's own
    default of the master switch.
    """

    name: str
    release: str
    on_by_default: bool


DYNAMO_1_3 = Profile(name="dynamo-1.3", release="Dynamo 1.3.1", on_by_default=False)

PROFILES: Mapping[str, Profile] = MappingProxyType({p.name: p for p in (DYNAMO_1_3,)})


def profile_named(name: str) -> Profile:
    """The profile of that name.

    Raises:
        UsageError: there is none.
    """
    if name not in PROFILES:
        raise UsageError(f"unknown profile {name!r}", mend=f"known: {', '.join(PROFILES)}")
    return PROFILES[name]
