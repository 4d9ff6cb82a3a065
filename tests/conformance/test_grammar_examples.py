"""Every example of every grammar file, run on xgrammar."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from structag_cli.builder.build import ban_tag, build, string_ban_tag
from structag_cli.engine.text import TextGrammar, compile_text
from structag_cli.formats.model import ExampleTool, Grammar
from structag_cli.formats.registry import grammar_files, read_grammar
from structag_cli.policy.decision import Decision, TagPlan, ToolPlan

pytestmark = pytest.mark.conformance

each_grammar = pytest.mark.parametrize("path", grammar_files(), ids=lambda path: path.stem)


def compiled(
    grammar: Grammar, tools: tuple[ExampleTool, ...], choice: str, parallel: bool
) -> TextGrammar:
    """The tag for these tools, each with its own schema, ready to read text."""
    plan = TagPlan(
        tools=tuple(
            ToolPlan(tool.name, True if tool.parameters is None else tool.parameters, "")
            for tool in tools
        ),
        at_least_one=choice == "required",
        stop_after_first=not parallel,
    )
    tag = build(grammar, Decision("structural_tag", (), plan=plan))
    assert tag is not None
    return compile_text(tag.to_json())


def compiler(grammar: Grammar) -> Callable[[str, bool], TextGrammar]:
    """The tag of the example tools for a choice, compiled once for each."""

    @cache
    def of(choice: str, parallel: bool) -> TextGrammar:
        return compiled(grammar, grammar.examples.tools, choice, parallel)

    return of


@each_grammar
def test_accepts(path: Path) -> None:
    grammar = read_grammar(path)
    tag = compiler(grammar)
    for example in grammar.examples.accept:
        seen = tag(example.choice, example.parallel).check(example.text)
        assert seen.accepted, (example.note, seen, example.text.encode()[seen.position :])


@each_grammar
def test_rejects(path: Path) -> None:
    grammar = read_grammar(path)
    tag = compiler(grammar)
    for example in grammar.examples.reject:
        assert not tag(example.choice, example.parallel).check(example.text).accepted, example.note


@each_grammar
def test_parse_examples_are_accepted_in_auto_mode(path: Path) -> None:
    grammar = read_grammar(path)
    tag = compiler(grammar)("auto", True)
    for example in grammar.examples.parse:
        assert tag.check(example.text).accepted, example.text


@each_grammar
def test_disagreements_are_real(path: Path) -> None:
    grammar = read_grammar(path)
    for disagreement in grammar.disagreements:
        tag = compiled(grammar, disagreement.tools, disagreement.choice, True)
        assert not tag.check(disagreement.text).accepted, disagreement.what
        assert tag.check(disagreement.accepted).accepted, disagreement.what


@each_grammar
def test_bans_forbid_the_calls(path: Path) -> None:
    grammar = read_grammar(path)
    calls = [e.text for e in grammar.examples.accept if e.choice == "required"]
    bans = [string_ban_tag(grammar.ban.strings)]
    bans += [ban_tag(grammar.ban.tokens)] if grammar.ban.tokens else []
    for ban in bans:
        # The token ban is not tried on text: it forbids token ids, not their spelling.
        checked = compile_text(ban.to_json())
        assert checked.check("It is sunny.").accepted
    for text in calls:
        assert not compile_text(bans[0].to_json()).check(text).accepted, text
