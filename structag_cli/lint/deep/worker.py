"""The child process: one probe a line on stdin, one result a line on stdout.

The first line says that it has started.

A compile that crashes or runs away ends this process and not the caller's.
"""

from __future__ import annotations

import json
import os
import sys

_MEMORY = 8 << 30


def main() -> None:
    """Answer jobs until stdin ends."""
    _limit_memory()
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever native code prints must not mix with results
    sys.setrecursionlimit(3000)
    from structag_cli.engine.text import compile_text
    from structag_cli.lint.deep.examples import try_all
    from structag_cli.lint.deep.probe import probe
    from structag_cli.lint.deep.result import ProbeResult

    compile_text({"type": "structural_tag", "format": {"type": "json_schema", "json_schema": True}})
    results.write("{}\n")  # started: from here on the time of a tool counts
    results.flush()
    for line in sys.stdin:
        job = json.loads(line)
        if "trials" in job:
            results.write(json.dumps({"trials": try_all(job["trials"])}) + "\n")
            results.flush()
            continue
        try:
            found = probe(job["schema"], job["style"], job["seconds"], job["seed"])
        except MemoryError:
            found = ProbeResult(error="out of memory", died=True)
        except Exception as err:  # a fault of the probe must not cost the other tools
            found = ProbeResult(error="", complete=False, warnings=[])
            found.note = f"{type(err).__name__}: {err}"
        results.write(json.dumps(found.to_json()) + "\n")
        results.flush()


def _limit_memory() -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    except (ImportError, ValueError, OSError):
        return


if __name__ == "__main__":
    main()
