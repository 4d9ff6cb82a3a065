"""The child process: one probe a line on stdin, one result a line on stdout.

The first line says that it has started.

A compile that crashes or runs away ends this process and not the caller's.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

COMPILED = "compiled"
"""The line between a probe's job and its result that says how far it has come."""

_FIRST = {"type": "object", "properties": {"a": {"pattern": "^(a|b)+$"}, "b": {"format": "date"}}}
_MEMORY = 8 << 30


def main() -> None:
    """Answer jobs until stdin ends."""
    _limit_memory()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # native code would not hear of it for long
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever native code prints must not mix with results
    sys.setrecursionlimit(3000)
    from structag_cli.lint.deep.examples import try_on_tag
    from structag_cli.lint.deep.probe import probe
    from structag_cli.lint.deep.result import ProbeResult

    for style in ("json", "qwen_xml"):  # imports take seconds, and no tool's time
        probe(_FIRST, style)

    def say(line: str) -> None:
        results.write(line + "\n")
        results.flush()

    def answer(job: dict[str, Any]) -> dict[str, Any]:
        if "tag" in job:
            return try_on_tag(job["tag"], job["text"])
        return probe(**job, compiled=lambda: say(COMPILED)).to_json()

    say("{}")  # started: from here on the time of a tool counts
    for line in sys.stdin:
        job = json.loads(line)
        try:
            answered = json.dumps(answer(job))
        except MemoryError:
            why = "out of memory"
            lost: Any = {"died": why} if "tag" in job else ProbeResult(error=why, died=True)
            answered = json.dumps(lost if "tag" in job else lost.to_json())
        except Exception as err:  # a fault of the probe must not cost the other tools
            note = f"{type(err).__name__}: {str(err)[:200]}"
            answered = json.dumps(ProbeResult(complete=False, note=note).to_json())
        say(answered)


def _limit_memory() -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    except (ImportError, ValueError, OSError):
        return


if __name__ == "__main__":
    main()
