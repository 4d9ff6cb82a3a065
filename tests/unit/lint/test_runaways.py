"""What crashes or runs away in a child process is told, and costs no other finding."""

import json
import time
from dataclasses import replace

import pytest

from structag_cli.errors import EngineError
from structag_cli.lint.deep import pool, worker
from structag_cli.lint.deep.failing import failing_node
from structag_cli.lint.deep.matching import Matching
from structag_cli.lint.deep.probe import probe
from structag_cli.lint.registry import rules
from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings

ENDLESS = "((a{0,99}){0,99}){0,99}"
"""xgrammar 0.2.9 compiles it in a second, and reads no text of it in minutes."""


def write(folder, name, property):
    parameters = {"type": "object", "properties": {"v": property}, "required": ["v"]}
    path = folder / name
    path.write_text(json.dumps([{"name": "f", "description": "d", "parameters": parameters}]))
    return str(path)


def test_a_match_that_runs_away(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "GRACE", 6.0)
    first = write(tmp_path, "a.json", {"type": "string", "pattern": ENDLESS})
    second = write(tmp_path, "b.json", {"type": "string", "not": {"const": "a"}})
    start = time.monotonic()
    found = list(lint([first, second], Settings(seconds=0.3), Selection()))
    assert time.monotonic() - start < 40
    (runaway,) = [f for f in found if f.code == "F002"]
    assert runaway.place.file == first
    assert "matching a value on the compiled schema" in runaway.message
    assert "no answer in 6 seconds" in runaway.message
    assert "S101" in {f.code for f in found if f.place.file == second}


def test_what_runs_away_in_the_judge_is_no_fault_of_the_schema(tmp_path):
    names = {"patternProperties": {"^(a|a)*$": {}}, "unevaluatedProperties": False}
    path = write(tmp_path, "a.json", {"type": "object", **names})
    found = list(lint([path], Settings(seconds=0.3), Selection()))
    assert not {"F002", "E004"} & {f.code for f in found}


def test_a_trial_that_runs_away_keeps_those_before_it(monkeypatch):
    monkeypatch.setattr(pool, "GRACE", 6.0)
    monkeypatch.setattr(pool, "_TRIALS", 0.0)
    endless = {"type": "structural_tag", "format": {"type": "regex", "pattern": ENDLESS}}
    fine = {"type": "structural_tag", "format": {"type": "regex", "pattern": "a+"}}
    child = pool._Worker()
    try:
        rows = [{"tag": fine, "text": "aa"}, {"tag": endless, "text": "a" * 5000 + "!"}]
        first, second = child.try_all([*rows, rows[0]])
    finally:
        child.stop()
    assert first == {"accepted": True, "position": 2}
    assert "no answer" in second["died"]


def test_a_probe_that_fails_is_told_and_the_rest_stands(tmp_path, monkeypatch):
    def broken(*_):
        raise OSError("no")

    monkeypatch.setattr(pool._Worker, "probe", broken)
    path = write(tmp_path, "a.json", {"type": "array"})
    found = list(lint([path], Settings(), Selection()))
    assert {"E004", "F010"} <= {f.code for f in found}


def test_a_rule_that_fails_in_any_way_is_told_and_the_rest_stands(tmp_path, monkeypatch):
    def broken(subject):
        raise OSError("no")

    known = {**rules(), "T010": replace(rules()["T010"], check=broken)}
    monkeypatch.setattr("structag_cli.lint.run.rules", lambda: known)
    path = write(tmp_path, "a.json", {"type": "array"})
    found = list(lint([path], Settings(deep=False), Selection()))
    assert {"E004", "F010"} <= {f.code for f in found}


def test_the_child_says_how_far_it_has_come():
    assert pool._COMPILED.decode() == f"{worker.COMPILED}\n"


@pytest.mark.parametrize("style", ["json", "qwen_xml"])
@pytest.mark.parametrize("leads_to", [[], "a", 3, None])
def test_a_failing_schema_whose_references_lead_to_no_schema(style, leads_to):
    """The search for the node that fails follows them."""
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/x"}},
        "$defs": {"x": leads_to},
    }
    with pytest.raises(EngineError) as caught:
        Matching(schema, style)
    assert failing_node(schema, style, caught.value.message) == ""


@pytest.mark.parametrize("root", ["array", "string", ["array", "object"]])
def test_a_root_that_is_no_object_has_no_parameters_to_cut(root):
    found = probe({"type": root, "items": {"type": "string"}}, "qwen_xml", seconds=0.3)
    assert found.note == ""
