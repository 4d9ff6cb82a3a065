"""What the rules over deployments share: views of workers, findings at flags, examples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from structag_cli.deployments.effective import field_of, profile_of, switch
from structag_cli.deployments.flags import EXCLUDE, PARSER, PROCESSOR, REASONING, SCHEMA, SCOPE
from structag_cli.deployments.model import UNKNOWN, Setting, Worker
from structag_cli.findings import Found, Severity
from structag_cli.formats.registry import grammar_for
from structag_cli.lint.deployment_slips import slip_edits
from structag_cli.lint.subject import Subject
from structag_cli.pipeline import support_for
from structag_cli.place import Place
from structag_cli.policy.decide import ParserSupport
from structag_cli.policy.profiles import profile_named
from structag_cli.policy.settings import DEFAULT_PROFILE, Deployment


@dataclass(frozen=True, slots=True)
class View:
    """A Dynamo worker that answers requests, as the rules see it.

    ``on``: whether structural tags are on, ``None`` where the file does not tell;
    ``switch`` is what says so. ``settings``: the values that must agree among workers of
    one model, by flag.
    """

    worker: Worker
    profile: str
    on: bool | None
    switch: Setting | None
    settings: dict[str, Any] = field(default_factory=dict)


def views(subject: Subject) -> Iterator[View]:
    """The Dynamo workers of a deployment; none for subjects of other kinds."""
    if subject.deployment is None:
        return
    for worker in subject.deployment.workers:
        if not worker.dynamo:
            continue
        profile = profile_named(profile_of(worker, None, DEFAULT_PROFILE))
        on, setting = switch(worker, profile)
        if setting is None and worker.opaque:
            on = UNKNOWN
        told = None if on is UNKNOWN else bool(on)
        yield View(worker, profile.name, told, setting, _settings(worker, on))


def _settings(worker: Worker, on: Any) -> dict[str, Any]:
    """What must agree; scope and schema count only while tags are on."""
    from structag_cli.deployments.flags import ENABLE

    # What arguments from elsewhere may set is not told, so it differs from nothing.
    unset = UNKNOWN if worker.opaque else None
    found = {
        PARSER: worker.value(PARSER, unset),
        ENABLE: on,
        EXCLUDE: worker.value(EXCLUDE, unset or True),
        REASONING: worker.value(REASONING, unset),
    }
    if on is True:
        for flag, key in ((SCOPE, "scope"), (SCHEMA, "schema")):
            found[flag] = field_of(worker, flag, key)[0] or unset or "auto"
    else:
        found[SCOPE] = found[SCHEMA] = UNKNOWN
    return found


def processes(subject: Subject) -> Iterator[Worker]:
    """Every process of a deployment."""
    if subject.deployment is not None:
        yield from subject.deployment.processes


def frontends(subject: Subject, worker: Worker) -> Iterator[Worker]:
    """The Frontends of a worker's graph."""
    for process in processes(subject):
        if process.role == "frontend" and process.graph == worker.graph:
            yield process


def shared(subject: Subject, process: Worker, setting: Setting) -> bool:
    """Whether a setting stands in one place for several processes, as a graph's variables do."""
    return setting.from_env and any(
        other.place == setting.place
        for another in processes(subject)
        if another is not process
        for other in another.settings
    )


def misplaced(subject: Subject, worker: Worker, *flags: str) -> bool:
    """Whether a Frontend has one of the flags, which its workers then lack."""
    found = (
        (frontend, frontend.get(flag)) for frontend in frontends(subject, worker) for flag in flags
    )
    return any(
        setting is not None and not shared(subject, frontend, setting)
        for frontend, setting in found
    )


def engine_parses(subject: Subject, worker: Worker) -> bool:
    """Whether the Frontend leaves parsing to the engine's parsers."""
    return any(
        frontend.value(PROCESSOR) in ("vllm", "sglang") for frontend in frontends(subject, worker)
    )


def faults(subject: Subject, kind: Literal["name", "value"]) -> Iterator[Found]:
    """What was wrong while reading."""
    found = subject.deployment
    if found is None:
        return
    for owner, each in [
        *((process, fault) for process in found.processes for fault in process.faults),
        *((None, fault) for fault in found.faults),
    ]:
        if each.kind == kind:
            yield Found(
                each.place.pointer,
                each.message,
                each.mend,
                subject="" if owner is None else owner.name,
                place=each.place,
                fix=slip_edits(found, owner, each),
            )


def at(
    worker: Worker,
    setting: Setting | None,
    message: str,
    keyword: str,
    severity: Severity | None = None,
    place: Place | None = None,
) -> Found:
    """A finding at a setting, or at the worker where nothing is set."""
    where = place or (worker.place if setting is None else setting.place)
    return Found(
        where.pointer,
        f"{worker.name}: {message}",
        keyword=keyword,
        severity=severity,
        subject=worker.name,
        place=where,
    )


def supported(parser: str, profile: str) -> bool:
    """Whether a parser has a structural tag in a profile's release."""
    return _support(parser, profile).tag


def bans(parser: str, profile: str) -> bool:
    """Whether a parser has tokens to ban on ``none``."""
    return bool(_support(parser, profile).ban_tokens)


def _support(parser: str, profile: str) -> ParserSupport:
    return support_for(grammar_for(parser), Deployment(parser, profile=profile))


def tag_troubles(subject: Subject, view: View) -> Iterator[str]:
    """What the target's xgrammar refuses or ignores in the tags that a worker's requests get."""
    from structag_cli.deployments.effective import effective
    from structag_cli.deployments.matrix import rows
    from structag_cli.lint.compat import unsupported

    found = effective(view.worker, profile_named(view.profile))
    for row in rows(found):
        if row.answer.tag is None:
            continue
        tag = row.answer.tag.to_json()
        whole = Subject(subject.document, "tag", subject.settings, tag, tag=tag)
        for state in ("rejected", "accepted-but-wrong"):
            for trouble in unsupported(whole, state):
                yield trouble.message


def manifest(
    *args: str, frontend: tuple[str, ...] = (), also: tuple[str, ...] = (), engine: str = "sglang"
) -> dict[str, Any]:
    """A small DynamoGraphDeployment, for the rules' examples."""
    command = ["python3", "-m", f"dynamo.{engine}"]
    components = [
        _component("Frontend", "frontend", ["python3", "-m", "dynamo.frontend"], frontend),
        _component("Worker", "worker", command, args),
    ]
    if also:
        components.append(_component("SecondWorker", "worker", command, also))
    return {
        "apiVersion": "nvidia.com/v1beta1",
        "kind": "DynamoGraphDeployment",
        "metadata": {"name": "example"},
        "spec": {"components": components},
    }


def _component(name: str, kind: str, command: list[str], args: tuple[str, ...]) -> dict[str, Any]:
    container: dict[str, Any] = {"name": "main", "command": command}
    if args:
        container["args"] = list(args)
    return {"name": name, "type": kind, "podTemplate": {"spec": {"containers": [container]}}}
