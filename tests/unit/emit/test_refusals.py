"""What is called a fault is what xgrammar refuses, and nothing else is."""

import pytest

from structag_cli.emit.anatomy import faults
from structag_cli.emit.outline import outline
from structag_cli.engine.text import compile_text, grammar_text
from structag_cli.errors import EngineError

SCHEMA = {"type": "json_schema", "json_schema": {"type": "object"}}
TEXT = {"type": "const_string", "value": "x"}
FREE = {"type": "any_text"}
TAG = {"type": "tag", "begin": "<f>", "content": SCHEMA, "end": "</f>"}
TOKEN = {"type": "tag", "begin": {"type": "token", "token": 60}, "content": SCHEMA, "end": "e"}


def triggered(**more):
    return {"type": "triggered_tags", "triggers": ["<f"], "tags": [TAG], **more}


def by_token(**more):
    return {"type": "token_triggered_tags", "trigger_tokens": [60], "tags": [TOKEN], **more}


REFUSED = [
    triggered(triggers=[]),
    triggered(triggers=[""]),
    triggered(tags=[]),
    triggered(excludes=[""]),
    triggered(tags=[TOKEN]),
    by_token(trigger_tokens=[]),
    by_token(tags=[]),
    by_token(tags=[TAG]),
    {"type": "tags_with_separator", "tags": [], "separator": ","},
    {"type": "sequence", "elements": []},
    {"type": "or", "elements": []},
    {"type": "dispatch", "rules": []},
    {"type": "dispatch", "rules": [["<f", TEXT]], "excludes": [""]},
    {"type": "token_dispatch", "rules": []},
    {**TAG, "end": []},
    {**SCHEMA, "excludes": [""]},
    {**SCHEMA, "style": "xml"},
    {**SCHEMA, "max_whitespace_cnt": 0},
    {"type": "grammar", "grammar": 'root ::= "a"', "syntax": "gbnf"},
    {"type": "repeat", "min": 3, "max": 1, "content": TEXT},
    {"type": "repeat", "min": -1, "max": 1, "content": TEXT},
    {"type": "repeat", "min": 0, "max": -2, "content": TEXT},
    {**FREE, "max_tokens": -1},
    {**FREE, "max_chars": -1},
]
TAKEN = [
    triggered(),
    triggered(excludes=[]),
    triggered(excludes=["q"]),
    by_token(),
    {"type": "tags_with_separator", "tags": [TAG], "separator": ""},
    {"type": "dispatch", "rules": [["<f", TEXT]]},
    {**TAG, "end": ["</f>", ""]},
    {**FREE, "excludes": [""]},
    {**FREE, "max_tokens": 0},
    {**FREE, "max_chars": 0},
    {**SCHEMA, "max_whitespace_cnt": 1},
    {**SCHEMA, "style": "deepseek_v4_1_xml"},
    {"type": "grammar", "grammar": 'root ::= "a"', "syntax": "ebnf"},
    {"type": "repeat", "min": 2, "max": -1, "content": TEXT},
    {"type": "repeat", "min": 0, "max": 0, "content": TEXT},
]


def tag(node):
    return {"type": "structural_tag", "format": node}


@pytest.mark.parametrize("node", REFUSED, ids=str)
def test_refused(node):
    with pytest.raises(EngineError):
        compile_text(tag(node))
    assert len(list(faults(tag(node)))) == 1


@pytest.mark.parametrize("node", TAKEN, ids=str)
def test_taken(node):
    compile_text(tag(node))
    assert list(faults(tag(node))) == []


def test_another_type_at_the_top():
    wrong = {"type": "structural_tags", "format": TEXT}
    with pytest.raises(EngineError, match="structural_tag"):
        compile_text(wrong)
    assert [fault.pointer for fault in faults(wrong)] == ["/type"]


@pytest.mark.parametrize("root", ["triggered_tags", "tags_with_separator"])
def test_what_stands_under_tags_is_a_tag_without_its_type(root):
    inner = {"begin": "<f>", "content": {"type": "any_text"}, "end": "</f>"}
    own = {"triggered_tags": {"triggers": ["<f"]}, "tags_with_separator": {"separator": ","}}
    bare = {"format": {"type": root, "tags": [inner], **own[root]}}
    typed = {"format": {"type": root, "tags": [{"type": "tag", **inner}], **own[root]}}
    assert list(faults(bare)) == []
    assert grammar_text(bare) == grammar_text(typed)
    assert outline(bare) == outline(typed)
    bare["format"]["tags"][0]["content"] = {"value": "a"}
    assert [fault.pointer for fault in faults(bare)] == ["/format/tags/0/content"]
