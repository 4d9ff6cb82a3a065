"""What every kind of request gets from a deployment: tool choice by strict by parallel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from structag_cli.deployments.effective import FIELDS, Effective
from structag_cli.formats.model import Grammar
from structag_cli.pipeline import Answer, answer
from structag_cli.place import Place
from structag_cli.policy.tables import NONE_ROWS, none_row
from structag_cli.request import ChoiceMode, Tool, ToolChoice, ToolRequest

VERSION = 1
"""Version of the JSON that ``explain --deployment FILE --format json`` writes."""

_CHOICES: tuple[ChoiceMode, ...] = ("auto", "none", "required", "named")
_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Row:
    """What one kind of request gets.

    ``strict``: a tool of the request says ``strict: true``; ``parallel``: parallel calls
    are allowed (``false`` is what clients send to forbid them).
    """

    choice: ChoiceMode
    strict: bool
    parallel: bool
    answer: Answer

    @property
    def gets(self) -> str:
        """In a few words, what the engine receives."""
        decision = self.answer.decision
        if decision.plan is not None:
            plan = decision.plan
            least = "at least one call" if plan.at_least_one else "text and calls"
            if plan.stop_after_first:
                least = "exactly one call" if plan.at_least_one else "text and at most one call"
            return f"tag: {least}, {'its schema' if self.schema else 'any arguments'}"
        if decision.outcome == "ban":
            return f"ban of {', '.join(decision.ban)}"
        return {
            "guided_json": "guided JSON, no tag",
            "unconstrained": "nothing",
        }.get(decision.outcome, decision.outcome)

    @property
    def schema(self) -> bool:
        """Whether arguments must satisfy the tool's schema."""
        plan = self.answer.decision.plan
        return plan is not None and any(tool.schema is not True for tool in plan.tools)

    def to_json(self) -> dict[str, Any]:
        """The contract of one row."""
        decision = self.answer.decision
        plan = decision.plan
        return {
            "tool_choice": self.choice,
            "strict": self.strict,
            "parallel_tool_calls": self.parallel,
            "outcome": decision.outcome,
            "at_least_one": None if plan is None else plan.at_least_one,
            "stop_after_first": None if plan is None else plan.stop_after_first,
            "schema_used": None if plan is None else self.schema,
            "banned": list(decision.ban),
            "rule": decision.reasons[-1].rule,
            "reason": decision.reason,
        }


def rows(found: Effective, own: Grammar | None = None) -> Iterator[Row]:
    """The matrix, each row decided as a request of its kind would be."""
    for mode in _CHOICES:
        for strict in (False, True):
            for parallel in (True, False):
                request = _request(mode, strict, parallel)
                yield Row(mode, strict, parallel, answer(request, found.deployment, own))


def _request(mode: ChoiceMode, strict: bool, parallel: bool) -> ToolRequest:
    tool = Tool("get_weather", None, _SCHEMA, strict or None, Place("-"))
    choice = ToolChoice(mode, "get_weather" if mode == "named" else None)
    return ToolRequest((tool,), choice, None if parallel else False)


def to_json(found: Effective, own: Grammar | None = None) -> dict[str, Any]:
    """The contract of one worker's matrix."""
    current = _current(found)
    return {
        "worker": found.worker.name,
        "engine": found.worker.engine,
        "model": found.worker.model,
        "place": str(found.worker.place),
        "profile": found.deployment.profile,
        "settings": {
            name: {
                "value": value,
                "flag": FIELDS[name],
                "place": _where(found.places.get(FIELDS[name])),
            }
            for name, value in settings(found).items()
        },
        "matrix": [row.to_json() for row in rows(found, own)],
        "on_tool_choice_none": [
            {
                "exclude_tools": row.exclude,
                "tags": row.tags,
                "tools_in_prompt": row.tools_in_prompt,
                "prefix_stable": row.prefix_stable,
                "effect": row.effect,
                "this_deployment": row is current,
            }
            for row in NONE_ROWS
        ],
    }


def settings(found: Effective) -> dict[str, Any]:
    """The settings that decide, by name."""
    from structag_cli.deployments.flags import ENGINE_REASONING, REASONING
    from structag_cli.deployments.model import UNKNOWN

    reasoning = found.worker.value(REASONING if found.worker.dynamo else ENGINE_REASONING)
    return {
        "tool_call_parser": found.deployment.parser,
        "enable_structural_tag": found.deployment.enabled,
        "scope": found.deployment.scope,
        "schema": found.deployment.schema,
        "exclude_tools_when_tool_choice_none": found.deployment.exclude_tools_on_none,
        "reasoning_parser": None if reasoning is UNKNOWN else reasoning,
    }


def text(found: Effective, own: Grammar | None = None) -> str:
    """The matrix for people, plain text."""
    worker = found.worker
    served = f", model {worker.model}" if worker.model else ""
    lines = [f"{worker.name}: {worker.engine}{served} ({_where(worker.place)})", "", "Settings"]
    for name, value in settings(found).items():
        place = found.places.get(FIELDS[name])
        where = f"  [{_where(place)}]" if place else "  (default)"
        lines.append(f"  {name}: {_word(value)}{where}")
    lines += ["", "What a request gets", "  tool_choice  strict  parallel  gets"]
    for row in rows(found, own):
        cells = f"{row.choice:11}  {_word(row.strict):6}  {_word(row.parallel):8}"
        lines.append(f"  {cells}  {row.gets}")
    lines += ["", "When tool_choice is none (> this deployment)"]
    current = _current(found)
    for none in NONE_ROWS:
        mark = ">" if none is current else " "
        lines.append(
            f"{mark} exclude tools {_word(none.exclude):3}  tags {_word(none.tags):3}  "
            f"prefix stable {_word(none.prefix_stable):3}  {none.effect}"
        )
    return "\n".join(lines)


def _current(found: Effective) -> Any:
    deployment = found.deployment
    return none_row(exclude=deployment.exclude_tools_on_none, tags=deployment.enabled)


def _where(place: Place | None) -> str | None:
    if place is None:
        return None
    return place.file if place.line is None else f"{place.file}:{place.line}"


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
