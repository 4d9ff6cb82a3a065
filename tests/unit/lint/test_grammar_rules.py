"""Grammar files are looked into: faults, the tags that they build, their examples."""

import pytest
import yaml

from structag_cli.formats.registry import grammar_files
from structag_cli.lint.registry import rules
from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings

SHIPPED = {path.stem: path for path in grammar_files()}


def findings(text, folder, *codes, deep=False):
    path = folder / "mine.yaml"
    path.write_text(text)
    settings = Settings(deep=deep)
    return list(lint([str(path)], settings, Selection(codes)))


def changed(name, old, new, folder, *codes, deep=False):
    """The findings of a shipped file after one change, and the line of that change."""
    text = SHIPPED[name].read_text()
    assert old in text
    line = text[: text.index(old)].count("\n") + 1
    return findings(text.replace(old, new, 1), folder, *codes, deep=deep), line


@pytest.mark.parametrize("path", SHIPPED.values(), ids=SHIPPED)
def test_shipped_files_are_sound(path):
    assert list(lint([str(path)], Settings(deep=False), Selection())) == []


def test_a_misspelt_field_has_its_line(tmp_path):
    (found,), line = changed("hermes_nl", "triggers:", "trigers:", tmp_path, "W")
    assert (found.code, found.place.line) == ("W001", line)
    assert "trigers" in found.message
    assert "triggers" in found.mend


def test_every_broken_rule_is_told(tmp_path):
    grammar = yaml.safe_load(SHIPPED["hermes_nl"].read_text())
    grammar["triggers"] = ["<toolcall>", ""]
    grammar["ban"] = {"tokens": [""], "strings": [""]}
    found = findings(yaml.safe_dump(grammar), tmp_path, "W")
    assert {f.place.pointer for f in found} >= {"/triggers/0", "/triggers/1", "/ban/tokens/0"}
    assert all(f.place.line for f in found)


def test_a_file_without_calls_is_still_a_grammar_file(tmp_path):
    grammar = yaml.safe_load(SHIPPED["hermes_nl"].read_text())
    grammar["cals"] = grammar.pop("calls")
    (found,) = findings(yaml.safe_dump(grammar), tmp_path)
    assert found.code == "W001"
    assert "cals" in found.message


def edited(name, **fields):
    grammar = yaml.safe_load(SHIPPED[name].read_text())
    return yaml.safe_dump({**grammar, **fields}, sort_keys=False)


def test_the_tag_rules_look_at_what_it_builds(tmp_path):
    call = {"begin": "say {name} ", "style": "json", "end": "\n"}
    text = edited("hermes_nl", calls=[call], triggers=["say"])
    (found,) = findings(text, tmp_path, "W")
    assert (found.code, found.place.pointer) == ("W002", "/triggers/0")
    assert "(G005)" in found.message


def test_a_stop_token_inside_a_block_stands_where_the_file_writes_it(tmp_path):
    call = {"begin": "<call>{name}", "style": "json", "end": "</s>"}
    block = {"begin": "<calls>", "end": "</calls>"}
    text = edited("hermes_nl", calls=[call], block=block, triggers=["<calls>"])
    found = [f for f in findings(text, tmp_path, "W") if "(G018)" in f.message]
    assert [f.place.pointer for f in found] == ["/calls/0/end"]
    assert text.splitlines()[found[0].place.line - 1].strip() == "end: </s>"


def test_two_ways_to_write_a_call_that_begin_alike(tmp_path):
    ways = [
        {"begin": "<tool_call>{name}", "style": style, "end": "</tool_call>"}
        for style in ("json", "qwen_xml")
    ]
    found = findings(edited("hermes_nl", calls=ways), tmp_path, "W002")
    assert {f.keyword for f in found} == {"G007"}
    assert found[0].place.pointer == "/calls/1/begin"


def test_examples_are_tried_on_xgrammar(tmp_path):
    grammar = yaml.safe_load(SHIPPED["hermes_nl"].read_text())
    examples = grammar["examples"]
    examples["accept"].append({"text": "no call at all", "choice": "required"})
    examples["reject"].append({"text": examples["accept"][0]["text"]})
    found = findings(yaml.safe_dump(grammar), tmp_path, "W", deep=True)
    accept, reject = len(examples["accept"]) - 1, len(examples["reject"]) - 1
    assert {(f.code, f.place.pointer) for f in found} == {
        ("W003", f"/examples/accept/{accept}/text"),
        ("W003", f"/examples/reject/{reject}/text"),
    }
    assert "at byte 0, before 'no call at all'" in found[0].message


def test_a_tag_that_does_not_compile_is_told_once_an_example(tmp_path):
    grammar = yaml.safe_load(SHIPPED["hermes_nl"].read_text())
    grammar["examples"]["tools"][0]["parameters"] = {"type": "object", "properties": {"a": False}}
    found = findings(yaml.safe_dump(grammar), tmp_path, "W003", deep=True)
    assert found
    assert all("does not compile" in f.message for f in found)


def test_rules_that_are_tried_exist():
    from structag_cli.lint.rules.w002_grammar_tag import TRIED

    assert set(TRIED) <= set(rules())
