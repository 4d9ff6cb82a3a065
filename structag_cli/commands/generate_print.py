"""What ``structag generate`` prints of its outputs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from structag_cli.generate.result import Generation


def outputs_json(results: list[Generation], free: Generation | None = None) -> str:
    """The contract of ``--format json``: one output, or several under ``outputs``."""
    values = [result.to_json() for result in results]
    value: Any = values[0] if len(values) == 1 else {"version": 1, "outputs": values}
    if free is not None:
        value = {**value, "free": free.to_json()}
    return json.dumps(value, ensure_ascii=False, indent=2)


def outputs_text(
    results: list[Generation], free: Generation | None = None, *, printed: bool
) -> str:
    """Texts and reports; ``printed``: the texts have been shown as they came."""
    from structag_cli.generate.render import report

    parts = [
        report(result) if printed else f"{result.text}\n\n{report(result)}".lstrip("\n")
        for result in results
    ]
    if free is not None:
        parts.append(f"--- without the tag\n{free.text}\n\n{report(free)}")
    return "\n\n".join(parts)
