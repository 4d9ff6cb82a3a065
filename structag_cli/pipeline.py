"""From request and deployment to the answer: the steps every command shares."""

from __future__ import annotations

from dataclasses import dataclass

from structag_cli.builder.build import build
from structag_cli.builder.nodes import StructuralTag
from structag_cli.formats.model import Grammar
from structag_cli.formats.registry import grammar_for
from structag_cli.policy.decide import NO_SUPPORT, ParserSupport, decide
from structag_cli.policy.decision import Decision
from structag_cli.policy.settings import Deployment
from structag_cli.request import ToolRequest


@dataclass(frozen=True, slots=True)
class Answer:
    """What a deployment sends to its engine for one request."""

    decision: Decision
    tag: StructuralTag | None
    grammar: Grammar | None


def support_for(
    grammar: Grammar | None, deployment: Deployment, *, own: bool = False
) -> ParserSupport:
    """What the deployment's release has for its parser, read from the grammar.

    ``own``: the grammar is the user's file, which stands for itself in any profile.
    """
    if grammar is None:
        return NO_SUPPORT
    profile = grammar.profiles.get(deployment.profile)
    if not own and (profile is None or deployment.parser not in profile.names):
        return NO_SUPPORT
    return ParserSupport(
        tag=bool(grammar.triggers),
        ban_tokens=grammar.ban.tokens,
        reasoning=grammar.reasoning is not None,
    )


def answer(
    request: ToolRequest, deployment: Deployment, own_grammar: Grammar | None = None
) -> Answer:
    """Decide and build, with the shipped grammar of the parser's name or the user's own."""
    grammar = own_grammar
    if grammar is None and deployment.parser is not None:
        grammar = grammar_for(deployment.parser)
    support = support_for(grammar, deployment, own=own_grammar is not None)
    decision = decide(request, deployment, support)
    return Answer(decision, None if grammar is None else build(grammar, decision), grammar)
