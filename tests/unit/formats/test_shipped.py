"""Rules that hold for every shipped grammar file."""

from __future__ import annotations

from pathlib import Path

import pytest

from structag_cli.formats.check import clashes, problems
from structag_cli.formats.registry import grammar_files, grammars, read_grammar

each_grammar = pytest.mark.parametrize("path", grammar_files(), ids=lambda path: path.stem)


@each_grammar
def test_file_is_named_after_its_format(path: Path) -> None:
    assert read_grammar(path).format == path.stem


@each_grammar
def test_keeps_the_rules(path: Path) -> None:
    assert problems(read_grammar(path)) == []


@each_grammar
def test_names_come_before_calls(path: Path) -> None:
    # The look-up by name reads only the lines between the two.
    text = path.read_text(encoding="utf-8")
    assert 0 < text.index("\nnames:") < text.index("\ncalls:")


@each_grammar
def test_every_fact_has_a_source(path: Path) -> None:
    facts = read_grammar(path).facts
    assert facts
    assert all(fact.source and not fact.fact.endswith("..") for fact in facts)


@each_grammar
def test_examples_cover_the_ground(path: Path) -> None:
    examples = read_grammar(path).examples
    assert any(e.choice == "auto" for e in examples.accept)
    assert any(not e.parallel for e in examples.accept)
    assert any(not e.parallel for e in examples.reject)
    counts = {len(example.calls) for example in examples.parse}
    assert counts >= {0, 1, 2}
    calls = [call for example in examples.parse for call in example.calls]
    assert any(not call.arguments for call in calls)
    assert any("\n" in str(value) for call in calls for value in call.arguments.values())


@each_grammar
def test_teaches_its_shape(path: Path) -> None:
    grammar = read_grammar(path)
    opening = grammar.block.begin if grammar.block else grammar.triggers[0]
    assert opening.strip().split("\n")[0].split("{")[0].strip() in grammar.prompt


def test_no_engine_has_a_name_twice() -> None:
    assert clashes(grammars()) == []
