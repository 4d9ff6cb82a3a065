"""What ``--target ENGINE==X`` stands for: a release of Dynamo, or the xgrammar of an engine."""

from __future__ import annotations

import re
from dataclasses import dataclass

from structag_cli.errors import UsageError
from structag_cli.lint.releases import known_releases, measured

_ALIASES = {"ai-dynamo": "dynamo", "trtllm": "tensorrt-llm"}
KNOWN = ("xgrammar", "vllm", "sglang", "tensorrt-llm", "dynamo")


@dataclass(frozen=True, slots=True)
class Target:
    """An xgrammar to lint for, and whose it is.

    Args:
        engine: ``xgrammar`` itself, or the engine that needs it.
        release: the newest measured release of xgrammar that is not newer than the target's.
        words: the target as a message's subject: "vllm 0.11.0, which pins xgrammar 0.1.25,".
    """

    engine: str
    release: str
    words: str


def split_target(target: str) -> tuple[str, str]:
    """Engine and release of ``ENGINE==X``; spaces, case and a ``v`` before X do not matter.

    Raises:
        UsageError: it is none, or of an engine that nothing is known of.
    """
    match = re.fullmatch(r"\s*([A-Za-z][\w.-]*)\s*==\s*[vV]?(\d[\w.+!-]*)\s*", target)
    name = "" if match is None else re.sub(r"[-_.]+", "-", match.group(1).lower())
    name = _ALIASES.get(name, name)
    if match is None or name not in KNOWN:
        raise UsageError(f"unknown target {target!r}", mend=f"ENGINE==X: {', '.join(KNOWN)}")
    return name, match.group(2)


def dynamo_release(target: str) -> tuple[int, int] | None:
    """Major and minor release of ``dynamo==X``; ``None`` for targets of other engines.

    Raises:
        UsageError: the target is none, or names no minor release.
    """
    engine, release = split_target(target)
    if engine != "dynamo":
        return None
    match = re.match(r"(\d+)\.(\d+)", release)
    if match is None:
        raise UsageError(f"unknown target {target!r}", mend="--target dynamo==1.6")
    return int(match.group(1)), int(match.group(2))


def xgrammar_target(target: str) -> Target:
    """The xgrammar of ``xgrammar==X`` or of an engine's release.

    A range of xgrammar is judged by the oldest release in it: what that one can do, all can.

    Raises:
        UsageError: nothing is known of the engine, of its release, or of the xgrammar.
    """
    engine, release = split_target(target)
    if engine == "xgrammar":
        found = measured(release)
        return Target(engine, found, f"xgrammar {found}")
    from structag_cli.lint.engine_pins import pin_of

    pin = pin_of(engine, release)
    try:
        found = measured(pin.oldest)
    except UsageError:
        raise UsageError(
            f"{pin.engine} needs {pin.needs}, and nothing is known of xgrammar before "
            f"{known_releases()[0]}",
            mend="--target xgrammar==X, with the release that is installed",
        ) from None
    bound = "which pins xgrammar" if pin.exact else "whose xgrammar may be as old as"
    return Target(engine, found, f"{pin.engine}, {bound} {pin.oldest},")
