"""What came of one case: the line of a results file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from structag_cli.generate.result import Generation
from structag_cli.generate.suite.cases import Case
from structag_cli.generate.suite.compare import right_arguments, right_tools

VERSION = 1
"""Version of the lines of a results file."""


@dataclass(frozen=True, slots=True)
class Record:
    """One output of one case.

    ``error`` says why there is no output (``None``: there is one). ``format_valid`` is
    ``None`` where the tag's verdict cannot be had, ``schema_valid`` where no call is
    made, ``right_tools`` and ``right_arguments`` where the case expects nothing in
    particular. ``seconds`` is this output's share of the run's time. ``tokens`` and
    ``prompt_tokens`` are 0, and ``forced`` is ``None``, where a server does not say.
    """

    key: str
    id: str
    output: int
    error: str | None = None
    format_valid: bool | None = None
    schema_valid: bool | None = None
    honoured: bool | None = None
    right_tools: bool | None = None
    right_arguments: bool | None = None
    finish_reason: str = ""
    text: str = ""
    calls: tuple[Mapping[str, Any], ...] = ()
    broken: tuple[str, ...] = ()
    tokens: int = 0
    prompt_tokens: int = 0
    forced: int | None = 0
    seconds: float = 0.0

    @property
    def kept(self) -> bool:
        """Whether there is an output and it breaks no promise."""
        return self.error is None and not self.broken

    def to_json(self) -> dict[str, Any]:
        """The line, as a value."""
        return {"version": VERSION, **asdict(self)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Record:
        """The record of a line.

        Raises:
            KeyError, TypeError: it is no line of a results file.
        """
        known = {field.name for field in fields(cls)}
        picked = {key: item for key, item in value.items() if key in known}
        for key in ("calls", "broken"):
            picked[key] = tuple(picked[key])
        return cls(**picked)


def record_of(case: Case, key: str, output: int, generation: Generation, seconds: float) -> Record:
    """The record of an output."""
    calls, expected = generation.calls, case.expected
    honours = generation.honours
    return Record(
        key=key,
        id=case.id,
        output=output,
        format_valid=generation.accepted,
        schema_valid=all(call.valid for call in calls) if calls else None,
        honoured=honours.tool_choice and honours.parallel_tool_calls,
        right_tools=None if expected is None else right_tools(calls, expected),
        right_arguments=None if expected is None else right_arguments(calls, expected),
        finish_reason=generation.finish_reason,
        text=generation.text,
        calls=tuple(call.to_json() for call in calls),
        broken=generation.broken,
        tokens=generation.stats.tokens or 0,
        prompt_tokens=generation.stats.prompt_tokens or 0,
        forced=generation.stats.forced,
        seconds=seconds,
    )
