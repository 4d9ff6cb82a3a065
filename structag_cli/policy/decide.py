"""The policy: deployment × request → decision.

Each step is one small function that either settles the request or passes it on, and
says why. Source of every rule: Dynamo's structural-tag page and the conformance
corpus of Dynamo 1.3.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from structag_cli.policy import guided, validate
from structag_cli.policy.decision import Decision, Reason, TagPlan, ToolPlan
from structag_cli.policy.settings import Deployment
from structag_cli.request import Tool, ToolRequest


@dataclass(frozen=True, slots=True)
class ParserSupport:
    """What the profile's release offers for a parser."""

    tag: bool
    ban_tokens: tuple[str, ...] = ()
    reasoning: bool = False


NO_SUPPORT = ParserSupport(tag=False)


def decide(request: ToolRequest, deployment: Deployment, support: ParserSupport) -> Decision:
    """What the engine receives for this request.

    Args:
        request: the request, from any dialect.
        deployment: the worker's settings.
        support: what the release has for ``deployment.parser``.
    """
    refused = validate.refusal(request)
    if refused:
        message, reason = refused
        return Decision("error", (reason,), error=message)
    forced = request.choice.mode in ("required", "named")
    if not forced and guided.constrains(request.response_format):
        return _response_format(request.response_format)
    if not request.tools:
        return _settle("unconstrained", "no-tools", "the request has no tools", "tools")
    unavailable = _unavailable(deployment, support)
    if unavailable:
        return _without_tag(request, unavailable)
    if request.choice.mode == "none":
        return _ban(support)
    wanted = _wanted(request, deployment)
    if wanted.rule == "scope-auto-free":
        return Decision("unconstrained", (wanted,))
    return _tag(request, deployment, support, wanted, forced)


def _settle(outcome: Any, rule: str, text: str, setting: str = "") -> Decision:
    return Decision(outcome, (Reason(rule, text, setting),))


def _response_format(response_format: Any) -> Decision:
    reason = Reason(
        "response-format",
        f"response_format {response_format.kind} constrains the whole output, "
        "and no call is forced: guided JSON instead of a tag",
        "response_format",
    )
    return Decision("guided_json", (reason,), guided_json=guided.response_schema(response_format))


def _unavailable(deployment: Deployment, support: ParserSupport) -> Reason | None:
    """Why this deployment sends no tags at all, if so."""
    if not deployment.enabled:
        return Reason(
            "switch-off",
            "structural tags are switched off",
            "--dyn-enable-structural-tag",
        )
    if not support.tag:
        who = f"parser {deployment.parser}" if deployment.parser else "a worker without a parser"
        return Reason(
            "parser-without-tag",
            f"{who} has no structural tag in profile {deployment.profile}",
            "--dyn-tool-call-parser",
        )
    return None


def _without_tag(request: ToolRequest, why: Reason) -> Decision:
    """Standard behaviour: forced calls by guided JSON, the rest free."""
    if request.choice.mode == "required":
        reason = Reason("guided-required", f"{why.text}: required gives guided JSON", why.setting)
        try:
            schema = guided.calls_schema(chosen_tools(request))
        except guided.DefinitionsError as err:
            fault = Reason("bad-definitions", str(err), "tools")
            return Decision("error", (why, fault), error=str(err))
        return Decision("guided_json", (why, reason), guided_json=schema)
    tool = validate.find_tool(request, request.choice.name)
    if request.choice.mode == "named" and tool is not None:
        reason = Reason("guided-named", f"{why.text}: a named tool gives guided JSON", why.setting)
        return Decision("guided_json", (why, reason), guided_json=guided.arguments_schema(tool))
    return Decision("unconstrained", (why,))


def _ban(support: ParserSupport) -> Decision:
    if not support.ban_tokens:
        return _settle("unconstrained", "none-no-ban", "the parser has no ban strings")
    banned = ", ".join(support.ban_tokens)
    reason = Reason("choice-none", f"tool_choice is none: ban {banned}", "tool_choice")
    return Decision("ban", (reason,), ban=support.ban_tokens)


def _wanted(request: ToolRequest, deployment: Deployment) -> Reason:
    """Why a tag applies, or the one reason (``scope-auto-free``) why it does not."""
    mode = request.choice.mode
    if mode in ("required", "named"):
        what = f"names {request.choice.name}" if mode == "named" else "is required"
        return Reason(f"choice-{mode}", f"tool_choice {what}: always a tag", "tool_choice")
    if deployment.scope == "always":
        return Reason(
            "scope-always", "scope always: a tag for auto too", "--dyn-structural-tag-scope"
        )
    strict = next((tool for tool in request.tools or () if tool.strict), None)
    if strict is not None:
        text = f"scope auto: tool {strict.name} is strict"
        return Reason("scope-auto-strict", text, "strict", strict.place)
    if request.parallel_tool_calls is False:
        return Reason(
            "scope-auto-parallel",
            "scope auto: parallel_tool_calls is false",
            "parallel_tool_calls",
        )
    return Reason(
        "scope-auto-free",
        "scope auto: tool_choice is auto, no tool is strict and parallel calls are allowed",
        "--dyn-structural-tag-scope",
    )


def _tag(
    request: ToolRequest,
    deployment: Deployment,
    support: ParserSupport,
    wanted: Reason,
    forced: bool,
) -> Decision:
    plan = TagPlan(
        tools=tuple(_plan(tool, deployment) for tool in chosen_tools(request)),
        at_least_one=forced,
        stop_after_first=request.parallel_tool_calls is False,
        after_reasoning=forced and deployment.starts_in_reasoning and support.reasoning,
    )
    return Decision("structural_tag", (wanted,), plan=plan)


def chosen_tools(request: ToolRequest) -> tuple[Tool, ...]:
    """The tools that the tag lets the model call."""
    if request.choice.mode == "named":
        tool = validate.find_tool(request, request.choice.name)
        return () if tool is None else (tool,)
    allowed = request.choice.allowed
    tools = request.tools or ()
    return tools if allowed is None else tuple(t for t in tools if t.name in allowed)


def _plan(tool: Tool, deployment: Deployment) -> ToolPlan:
    if tool.parameters is None:
        return ToolPlan(tool.name, True, "the tool has no parameters")
    if deployment.schema == "strict":
        return ToolPlan(tool.name, tool.parameters, "schema mode strict")
    if tool.strict:
        return ToolPlan(tool.name, tool.parameters, "the tool is strict")
    return ToolPlan(tool.name, True, "schema mode auto and the tool is not strict")
