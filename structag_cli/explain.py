"""The explanation of one decision, as data that text and JSON share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from structag_cli.formats.model import Disagreement
from structag_cli.pipeline import Answer
from structag_cli.place import Place
from structag_cli.policy.decision import Reason, ToolPlan
from structag_cli.policy.profiles import PROFILES
from structag_cli.policy.settings import Deployment
from structag_cli.policy.tables import NONE_ROWS, SCOPE_ROWS, none_row, scope_row
from structag_cli.replay import row_of
from structag_cli.request import ToolRequest

VERSION = 1
"""Version of the JSON that ``explain --format json`` writes."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that ``explain`` says."""

    request: ToolRequest
    deployment: Deployment
    answer: Answer
    worker: str | None = None
    places: Mapping[str, Place] = field(default_factory=dict)
    """The worker of a deployment file, and where it sets which flag."""

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The steps of the decision, the last one deciding."""
        return self.answer.decision.reasons

    @property
    def tools(self) -> tuple[ToolPlan, ...]:
        """The tools in the tag, each with why it gets its schema."""
        plan = self.answer.decision.plan
        return () if plan is None else plan.tools

    @property
    def governed_by_scope(self) -> bool:
        """Whether the scope table has a row for this request: tags are on and possible."""
        return self.answer.decision.outcome in ("structural_tag", "ban") or any(
            reason.rule == "scope-auto-free" for reason in self.reasons
        )

    @property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """Where this tag refuses what the model's own template writes."""
        grammar = self.answer.grammar
        if grammar is None or self.answer.decision.plan is None:
            return ()
        profile = self.deployment.profile
        return tuple(d for d in grammar.disagreements if profile in d.profiles)

    def settings(self) -> dict[str, Any]:
        """The deployment, by its flags."""
        return {
            "profile": self.deployment.profile,
            "release": PROFILES[self.deployment.profile].release,
            "tool_call_parser": self.deployment.parser,
            "enable_structural_tag": self.deployment.enabled,
            "scope": self.deployment.scope,
            "schema": self.deployment.schema,
            "exclude_tools_when_tool_choice_none": self.deployment.exclude_tools_on_none,
            "starts_in_reasoning": self.deployment.starts_in_reasoning,
        }

    def asked(self) -> dict[str, Any]:
        """The request, by its fields."""
        choice = self.request.choice
        return {
            "tools": None if self.request.tools is None else len(self.request.tools),
            "tool_choice": choice.name if choice.mode == "named" else choice.mode,
            "tool_choice_given": choice.given,
            "allowed_tools": None if choice.allowed is None else list(choice.allowed),
            "parallel_tool_calls": self.request.parallel_tool_calls,
            "response_format": None
            if self.request.response_format is None
            else self.request.response_format.kind,
        }

    def to_json(self) -> dict[str, Any]:
        """The contract of ``explain --format json``."""
        row = none_row(exclude=self.deployment.exclude_tools_on_none, tags=self.deployment.enabled)
        return {
            "version": VERSION,
            **row_of(self.answer),
            "deployment": self.settings(),
            "worker": self.worker,
            "places": {flag: str(place) for flag, place in self.places.items()},
            "request": self.asked(),
            "reasons": [
                {
                    "rule": r.rule,
                    "text": r.text,
                    "setting": r.setting,
                    "place": None if r.place is None else str(r.place),
                }
                for r in self.reasons
            ],
            "tools": [
                {"name": t.name, "schema_used": t.schema is not True, "why": t.why}
                for t in self.tools
            ],
            "on_tool_choice_none": {
                "tools_in_prompt": row.tools_in_prompt,
                "ban": row.tags,
                "prefix_stable": row.prefix_stable,
                "effect": row.effect,
            },
            "disagreements": [
                {"what": d.what, "refused": d.text, "accepted": d.accepted, "source": d.source}
                for d in self.disagreements
            ],
        }


def text(explanation: Explanation) -> str:
    """The explanation for people, plain text."""
    parts = [
        _outcome(explanation),
        _section("Why", [f"{r.text}{_setting(r)}" for r in explanation.reasons]),
        _section("Deployment", _deployment(explanation)),
        _section("Request", _pairs(explanation.asked())),
    ]
    if explanation.tools:
        parts.append(_section("Arguments", [_tool(tool) for tool in explanation.tools]))
    if explanation.governed_by_scope:
        parts.append(_section("Policy: when a tag applies", _scope_table(explanation)))
    parts.append(_section("When tool_choice is none", _none_table(explanation.deployment)))
    if explanation.disagreements:
        lines = [line for d in explanation.disagreements for line in _disagreement(d)]
        parts.append(_section("The tag refuses what the model's template writes", lines))
    return "\n\n".join(parts)


_OUTCOMES = {
    "structural_tag": "The engine receives a structural tag.",
    "ban": "The engine receives a structural tag that bans tool-call tokens.",
    "guided_json": "The engine receives guided JSON, no structural tag.",
    "unconstrained": "The engine receives no constraint.",
    "error": "The server refuses the request (HTTP 400).",
}


def _outcome(explanation: Explanation) -> str:
    decision = explanation.answer.decision
    lines = [_OUTCOMES[decision.outcome]]
    if decision.plan is not None:
        plan = decision.plan
        lines.append(f"  at_least_one: {_yes(plan.at_least_one)}, a call is forced")
        if not plan.at_least_one:
            lines[-1] = "  at_least_one: no, text without a call is fine"
        lines.append(
            "  stop_after_first: yes, one call and no second"
            if plan.stop_after_first
            else "  stop_after_first: no, several calls may follow each other"
        )
    if decision.ban:
        lines.append(f"  banned tokens: {', '.join(decision.ban)}")
    if decision.error:
        lines.append(f"  message: {decision.error}")
    return "\n".join(lines)


def _setting(reason: Reason) -> str:
    where = f", {_short(reason.place)}" if reason.place else ""
    return f"  [{reason.setting}{where}]" if reason.setting else ""


def _tool(tool: ToolPlan) -> str:
    used = "any arguments" if tool.schema is True else "its schema"
    return f"{tool.name}: {used} ({tool.why})"


def _deployment(explanation: Explanation) -> list[str]:
    """The settings, each with the line of the deployment file that gives it."""
    from structag_cli.deployments.flags import ENABLE, EXCLUDE, PARSER, SCHEMA, SCOPE

    flags = {
        "tool_call_parser": PARSER,
        "enable_structural_tag": ENABLE,
        "scope": SCOPE,
        "schema": SCHEMA,
        "exclude_tools_when_tool_choice_none": EXCLUDE,
    }
    worker = [f"worker: {explanation.worker}"] if explanation.worker else []
    lines = _pairs(explanation.settings())
    for at, line in enumerate(lines):
        place = explanation.places.get(flags.get(line.partition(":")[0], ""))
        if place is not None:
            lines[at] = f"{line}  [{_short(place)}]"
    return worker + lines


def _short(place: Place) -> str:
    """File and line, where they say enough."""
    return str(place) if place.line is None else f"{place.file}:{place.line}"


def _pairs(values: dict[str, Any]) -> list[str]:
    return [f"{key}: {_yes(value)}" for key, value in values.items() if value is not None]


def _yes(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _scope_table(explanation: Explanation) -> list[str]:
    current = scope_row(explanation.deployment.scope, explanation.request.choice.mode)
    return [
        f"{_mark(row is current)} scope {row.scope:6}  {'/'.join(row.choices):15}  {row.when}"
        for row in SCOPE_ROWS
    ]


def _none_table(deployment: Deployment) -> list[str]:
    current = none_row(exclude=deployment.exclude_tools_on_none, tags=deployment.enabled)
    return [
        f"{_mark(row is current)} exclude tools {_yes(row.exclude):3}  tags {_yes(row.tags):3}  "
        f"prefix stable {_yes(row.prefix_stable):3}  {row.effect}"
        for row in NONE_ROWS
    ]


def _mark(current: bool) -> str:
    return ">" if current else " "


def _disagreement(disagreement: Disagreement) -> list[str]:
    return [
        disagreement.what,
        f"  refused:  {disagreement.text!r}",
        f"  accepted: {disagreement.accepted!r}",
    ]


def _section(title: str, lines: list[str]) -> str:
    return "\n".join([title, *(f"  {line}" for line in lines)])
