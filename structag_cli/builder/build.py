"""Grammar × decision → structural tag.

The shapes are Dynamo's: ``triggered_tags`` of one tag a tool, or of one block that
holds ``tags_with_separator`` (conformance corpus, Dynamo 1.3.1 and 1.6.1).
"""

from __future__ import annotations

from structag_cli.builder.nodes import (
    AnyText,
    AnyTokens,
    ConstString,
    JsonSchema,
    Node,
    Regex,
    Sequence,
    StructuralTag,
    Tag,
    TagsWithSeparator,
    TriggeredTags,
)
from structag_cli.formats.model import NAME_PLACEHOLDER, Call, Grammar, Part, Parts
from structag_cli.policy.decision import Decision, TagPlan, ToolPlan


def build(grammar: Grammar, decision: Decision) -> StructuralTag | None:
    """The tag for a decision; ``None`` where no tag applies.

    Raises:
        ValueError: the grammar has no trigger, so it cannot give a tag.
    """
    if decision.outcome == "ban":
        return ban_tag(decision.ban)
    if decision.plan is None:
        return None
    return StructuralTag(_after_reasoning(grammar, decision.plan, _calls(grammar, decision.plan)))


def ban_tag(tokens: tuple[str, ...]) -> StructuralTag:
    """The exclusion tag that Dynamo sends for ``tool_choice: none``: ban by token."""
    return StructuralTag(Tag("", AnyTokens(list(tokens)), ""))


def string_ban_tag(strings: tuple[str, ...]) -> StructuralTag:
    """The exclusion tag that bans strings however they are spelled."""
    return StructuralTag(AnyText(list(strings)))


def _calls(grammar: Grammar, plan: TagPlan) -> TriggeredTags:
    if not grammar.triggers:
        raise ValueError(f"format {grammar.format} has no trigger")
    tags = [tag for tool in plan.tools for tag in tool_tags(grammar, tool)]
    if grammar.block is not None:
        inner = TagsWithSeparator(
            tags, grammar.separator, at_least_one=True, stop_after_first=plan.stop_after_first
        )
        tags = [Tag(grammar.block.begin, inner, grammar.block.end)]
    return TriggeredTags(
        triggers=list(grammar.triggers),
        tags=tags,
        excludes=list(grammar.excludes),
        at_least_one=plan.at_least_one,
        stop_after_first=plan.stop_after_first,
    )


def tool_tags(grammar: Grammar, tool: ToolPlan) -> list[Tag]:
    """The tags of one tool: one for each way that the format has to write a call."""
    return [_call_tag(call, tool) for call in grammar.calls]


def _call_tag(call: Call, tool: ToolPlan) -> Tag:
    first, *before = _parts(call.begin, tool.name)
    *after, last = _parts(call.end, tool.name)
    elements = [*map(_node, before), JsonSchema(tool.schema, call.style), *map(_node, after)]
    content: Node = elements[0] if len(elements) == 1 else Sequence(elements)
    end = [_text(last), *(e.replace(NAME_PLACEHOLDER, tool.name) for e in call.or_end)]
    return Tag(_text(first), content, end[0] if len(end) == 1 else end)


def _parts(parts: Parts, name: str) -> list[Part]:
    listed = (parts,) if isinstance(parts, str) else parts
    return [p.replace(NAME_PLACEHOLDER, name) if isinstance(p, str) else p for p in listed]


def _text(part: Part) -> str:
    if not isinstance(part, str):
        raise ValueError("a call begins and ends with a text, not with a regular expression")
    return part


def _node(part: Part) -> Node:
    return ConstString(part) if isinstance(part, str) else Regex(part.regex)


def _after_reasoning(grammar: Grammar, plan: TagPlan, calls: TriggeredTags) -> Node:
    """Free text up to the end of the reasoning, then the calls."""
    if not plan.after_reasoning or grammar.reasoning is None:
        return calls
    reasoning = Tag("", AnyText(), grammar.reasoning.end)
    return Sequence([reasoning, calls])
