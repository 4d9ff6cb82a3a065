"""Each rule fires on its bad example and is silent on its good one."""

import json

import pytest

from structag_cli.formats.registry import grammar_for
from structag_cli.lint.registry import FAMILIES, rules
from structag_cli.lint.rules import f003_compile_slow
from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings

RULES = [rule for rule in rules().values() if rule.bad is not None]


def codes(example, rule, folder):
    path = folder / "example.json"
    path.write_text(example if isinstance(example, str) else json.dumps(example))
    grammar = grammar_for(rule.parser) if rule.parser else None
    template = None
    if rule.template:
        template = str(folder / "template.jinja")
        (folder / "template.jinja").write_text(rule.template)
    settings = Settings(
        parser=rule.parser,
        grammar=grammar,
        deep=rule.deep,
        target=rule.target,
        template=template,
    )
    return {finding.code for finding in lint([str(path)], settings, Selection((rule.code,)))}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_fires_on_its_bad_example(rule, tmp_path, monkeypatch):
    # How long a compile takes is the machine's; the example takes some seconds on a slow one.
    monkeypatch.setattr(f003_compile_slow, "LIMIT", 0.2)
    assert codes(rule.bad, rule, tmp_path) == {rule.code}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_is_silent_on_its_good_example(rule, tmp_path):
    assert codes(rule.good, rule, tmp_path) == set()


def test_codes_are_of_known_families():
    assert {code[0] for code in rules()} <= set(FAMILIES)


def test_names_are_unique():
    names = [rule.name for rule in rules().values()]
    assert len(names) == len(set(names))
