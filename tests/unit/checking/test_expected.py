"""What may stand at a refusal, held against what the engine accepts there."""

import pytest

from structag_cli.checking.check import Checker
from structag_cli.formats.registry import grammar_for
from structag_cli.pipeline import answer
from structag_cli.place import Place
from structag_cli.policy.settings import Deployment
from structag_cli.request import Tool, ToolChoice, ToolRequest

BEFORE = '<tool_call>\n{"name": "f", "arguments": {"a": "'


def checker(schema):
    parameters = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
    tool = Tool("f", None, parameters, True, Place("tools"))
    request = ToolRequest((tool,), choice=ToolChoice("required"))
    return Checker(request, answer(request, Deployment("hermes"), grammar_for("hermes")))


@pytest.mark.parametrize(
    "values",
    [["é", "日本"], ["é", "è"], ["x", "é"], ["🏔", "日"]],
    ids=["two lengths", "one lead byte", "ascii too", "four bytes"],
)
@pytest.mark.parametrize("wrong", ["", "?", "ü"])
def test_characters_of_any_script_are_named(values, wrong):
    checked = checker({"enum": values}).check(BEFORE + wrong)
    assert set(checked.expected) == {value[0] for value in values}
    for each in checked.expected:
        assert not checker({"enum": values}).check(BEFORE + each).complete


def test_free_text_names_none():
    assert checker({"type": "string"}).check(BEFORE).expected == ("almost any character",)
