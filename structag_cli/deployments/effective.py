"""From a worker's settings to the policy's deployment, each setting with its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from structag_cli.deployments.flags import (
    ENABLE,
    ENGINE_PARSER,
    ENGINE_REASONING,
    EXCLUDE,
    LEGACY,
    PARSER,
    REASONING,
    SCHEMA,
    SCOPE,
    TAG,
)
from structag_cli.deployments.model import UNKNOWN, DeploymentFile, Setting, Worker
from structag_cli.errors import InputError, UsageError
from structag_cli.place import Place
from structag_cli.policy.profiles import PROFILES, Profile
from structag_cli.policy.settings import Deployment

FIELDS: Mapping[str, str] = {
    "tool_call_parser": PARSER,
    "enable_structural_tag": ENABLE,
    "scope": SCOPE,
    "schema": SCHEMA,
    "exclude_tools_when_tool_choice_none": EXCLUDE,
    "reasoning_parser": REASONING,
}
"""What ``explain`` calls a setting, and the flag that gives it."""

TAG_DEFAULTS: Mapping[str, str] = {"scope": "always"}
"""Defaults of ``--dyn-structural-tag`` that differ from those of the older flags (1.6)."""


@dataclass(frozen=True, slots=True)
class Effective:
    """What a worker's settings come to.

    ``places``: for each flag that the worker sets, where; flags at their default are absent.
    ``unclear``: flags whose value the file does not tell.
    """

    worker: Worker
    deployment: Deployment
    places: Mapping[str, Place] = field(default_factory=dict)
    unclear: tuple[str, ...] = ()


def switch(worker: Worker, profile: Profile) -> tuple[Any, Setting | None]:
    """Whether structural tags are on, and the setting that says so.

    The value is ``UNKNOWN`` where the file does not tell.
    """
    whole = worker.get(TAG)
    if whole is not None:
        value = whole.value
        return (UNKNOWN if value is UNKNOWN else value is not False), whole
    single = worker.get(ENABLE)
    if single is not None:
        return single.value, single
    return profile.on_by_default, None


def field_of(worker: Worker, flag: str, key: str) -> tuple[Any, Setting | None]:
    """Scope or schema mode: a field of ``--dyn-structural-tag``, or the flag of 1.3 to 1.5.

    ``None`` where the worker leaves it at its default.
    """
    whole = worker.get(TAG)
    if whole is not None and isinstance(whole.value, dict):
        value = whole.value.get(key, TAG_DEFAULTS.get(key))
        if value is not None:
            return value, whole
    single = worker.get(flag)
    return (None, None) if single is None else (single.value, single)


def effective(worker: Worker, profile: Profile) -> Effective:
    """The policy's deployment for a worker. What the file does not tell is at its default."""
    places: dict[str, Place] = {}
    unclear: list[str] = []

    def note(flag: str, value: Any, setting: Setting | None) -> Any:
        if setting is not None:
            places[flag] = setting.place
        if value is UNKNOWN:
            unclear.append(flag)
            return None
        return value

    enabled = note(ENABLE, *switch(worker, profile))
    scope = note(SCOPE, *field_of(worker, SCOPE, "scope"))
    schema = note(SCHEMA, *field_of(worker, SCHEMA, "schema"))
    simple = {flag: worker.get(flag) for flag in (PARSER, EXCLUDE, REASONING)}
    if not worker.dynamo:
        # An engine's own server has its parsers under the engine's names alone.
        simple[PARSER] = worker.get(ENGINE_PARSER)
        simple[REASONING] = worker.get(ENGINE_REASONING)
    values = {
        flag: None if setting is None else note(flag, setting.value, setting)
        for flag, setting in simple.items()
    }
    default = Deployment(parser=None, profile=profile.name)
    deployment = Deployment(
        parser=values[PARSER],
        enabled=profile.on_by_default if enabled is None else enabled,
        scope=scope or default.scope,
        schema=schema or default.schema,
        exclude_tools_on_none=values[EXCLUDE] is not False,
        profile=profile.name,
    )
    return Effective(worker, deployment, places, tuple(unclear))


def profile_of(worker: Worker, asked: str | None, default: str) -> str:
    """The policy profile for a worker: the one asked for, else the one its flags belong to."""
    if asked is not None:
        return asked
    newer = "dynamo-1.6"
    uses_new = worker.get(TAG) is not None and all(worker.get(flag) is None for flag in LEGACY)
    return newer if uses_new and newer in PROFILES else default


def choose(found: DeploymentFile, name: str | None) -> Worker:
    """The worker that a request would reach.

    Args:
        found: the deployment.
        name: ``--worker``; without it all workers must agree.

    Raises:
        UsageError: there is no such worker, or several that differ.
        InputError: the deployment has none.
    """
    workers = found.workers
    if name is not None:
        named = [worker for worker in found.processes if worker.name == name]
        if not named:
            names = ", ".join(dict.fromkeys(worker.name for worker in found.processes))
            raise UsageError(f"no worker {name!r} in {found.file}", mend=f"it has: {names}")
        answering = [worker for worker in named if worker in workers] or named
        if _differ(answering):
            lines = ", ".join(str(worker.place.line) for worker in answering)
            raise UsageError(
                f"several workers {name!r} in {found.file} that differ: lines {lines}",
                mend="split the file",
            )
        return answering[0]
    if not workers:
        place = found.processes[0].place if found.processes else Place(found.file)
        raise InputError(
            "no worker that answers requests, only others", place=place, mend="--worker NAME"
        )
    if _differ(workers):
        names = ", ".join(worker.name for worker in workers)
        raise UsageError(
            f"the workers of {found.file} differ: {names}", mend="--worker NAME chooses one"
        )
    return workers[0]


def _differ(workers: list[Worker]) -> bool:
    """Whether requests get different answers from workers."""
    profile = next(iter(PROFILES.values()))
    first = effective(workers[0], profile).deployment
    return any(effective(other, profile).deployment != first for other in workers[1:])
