"""Values of the wrong type, number or pattern: each kind that a fuzzer once found."""

import json
import re
import time

import pytest
from jsonschema.validators import Draft202012Validator

from structag_cli.ecma_patterns import SlowPattern, full_matcher, reading, searcher
from structag_cli.emit.examples.regexes import matching_text
from structag_cli.emit.examples.trouble import NoExample
from structag_cli.emit.schema_outline import schema_line
from structag_cli.errors import InputError
from structag_cli.formats.read import read_grammar
from structag_cli.lint.deep.judge import Judge
from structag_cli.lint.deep.make import numbers
from structag_cli.lint.deep.matching import OutOfTime, interrupted_after
from structag_cli.lint.deep.probe import probe
from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings
from structag_cli.pattern_size import written_out
from structag_cli.reader.verdicts import schema_errors
from structag_cli.scaffold.edit import with_flags
from structag_cli.sources import parse_document

EXPONENTIAL = "^(a|a)*$"
HARD = "a" * 60 + "!"


def codes(value, tmp_path, **settings):
    path = tmp_path / "v.json"
    path.write_text(json.dumps(value))
    return [f.code for f in lint([str(path)], Settings(**{"deep": False, **settings}), Selection())]


def tool(property):
    parameters = {"type": "object", "properties": {"v": property}, "required": ["v"]}
    return [{"name": "f", "description": "d", "parameters": parameters}]


@pytest.mark.parametrize("make", [searcher, full_matcher])
def test_a_slow_pattern_is_given_up(make):
    start = time.monotonic()
    matches = make(EXPONENTIAL)
    for _ in range(20):
        with pytest.raises(SlowPattern, match="too long"):
            matches(HARD)
    assert time.monotonic() - start < 5
    assert searcher("(a+b)+")("aab") is not None


def test_patterns_that_are_huge_when_written_out():
    assert written_out(r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}\)$") == 26
    assert written_out("((a{99}){99}){99}") == 99**3
    assert written_out("(" * 99 + "[)]{3}") == 3
    start = time.monotonic()
    for pattern in ("(((a{99}){99}){99}){99}", r"(((\p{L}{99}){99}){99}){99}"):
        with pytest.raises(SlowPattern):
            searcher(pattern)("b" * 2000)
    assert time.monotonic() - start < 5


def test_long_texts_are_timed_for_plain_patterns_too():
    with pytest.raises(SlowPattern):
        searcher(r"\s+$")(" " * 100_000 + "x")
    assert searcher(r"\s+$")(" ") is not None


def test_a_pattern_that_nothing_reads_is_an_error_of_re():
    for pattern in ("[", "a{9}{9}(?<b", "(" * 3000):
        with pytest.raises(re.error):
            searcher(pattern)


def test_judges_go_on_beside_slow_patterns():
    schema = {"type": "object", "properties": {"v": {"pattern": EXPONENTIAL + "|q"}}}
    assert "too long" in schema_errors({"v": HARD}, schema)[0]
    assert Judge(schema).allows({"v": HARD}) is None
    closed = {"patternProperties": {EXPONENTIAL + "|z": True}, "additionalProperties": False}
    assert Judge(closed).allows({HARD: 1}) is None


def test_additional_properties_beside_patterns():
    schema = {
        "properties": {"a": True},
        "patternProperties": {r"^\p{Lu}": True},
        "additionalProperties": {"type": "integer"},
    }
    judge = reading(Draft202012Validator)
    assert judge(schema).is_valid({"a": "x", "Élan": "x", "b": 1})
    assert not judge(schema).is_valid({"b": "x"})
    closed = judge({**schema, "additionalProperties": False})
    assert closed.is_valid({"a": 1, "B": 1})
    (error,) = closed.iter_errors({"b": 1, "c": 1})
    assert error.message.startswith("'b', 'c' do not match any of the regexes")


@pytest.mark.parametrize("pattern", ["((((a{60}){60}){60}){60})", "(((){4000}){4000}){4000}b"])
def test_repetitions_of_repetitions_end(pattern):
    start = time.monotonic()
    with pytest.raises(NoExample):
        matching_text(pattern)
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("odd", [[], {}, 3, None, True, [[]]])
def test_odd_types_break_no_rule(odd, tmp_path):
    for key in ("format", "type", "pattern", "required", "enum", "$ref", "properties", "items"):
        assert "E004" not in codes(tool({"type": "string", key: odd}), tmp_path)
    for node in ({"type": odd}, {"type": "tag", "begin": odd, "content": {"type": odd}}):
        for format in (node, {"type": "sequence", "elements": [node]}):
            found = codes({"type": "structural_tag", "format": format}, tmp_path)
            assert "E004" not in found


@pytest.mark.parametrize("number", [-5, 10**400, -(10**400), 1e308, 5e-324, 0])
def test_numbers_at_the_limits_break_no_rule(number, tmp_path):
    for key in ("multipleOf", "minimum", "exclusiveMaximum"):
        for beside in ({"enum": [1.5, 10**300]}, {"maximum": 10**300}, {"minimum": 10**300}):
            assert "E004" not in codes(tool({"type": "number", key: number, **beside}), tmp_path)
    for kind, what in (("string", "Length"), ("array", "Items"), ("object", "Properties")):
        for key in (f"min{what}", f"max{what}"):
            assert "E004" not in codes(tool({"type": kind, key: number}), tmp_path)
    assert numbers({"multipleOf": 1e-300, "minimum": 10**300}, whole=False)


def test_outline_of_odd_required():
    assert "0 required" in schema_line({"properties": {"a": {}}, "required": [[], {}, None]})


@pytest.mark.parametrize("odd", [[], {}, 3, None, "http://[", ""])
def test_an_odd_draft_or_type_is_probed(odd):
    for schema in ({"$schema": odd}, {"properties": {"v": {"type": "string", "format": odd}}}):
        assert Judge({"type": "object", **schema}).allows({}) in (True, None)
        assert probe({"type": "object", **schema}, "json", 0.2).note == ""


def test_a_lone_surrogate_in_a_pattern():
    result = probe(tool({"type": "string", "pattern": "\\uD800"})[0]["parameters"], "json", 0.5)
    assert result.note == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: " + "9" * 400, None),
        ("a: 0x" + "f" * 5000, "thousands of digits"),
        ("a: !!int 0x" + "f" * 5000, "not what its tag says"),
        ("a: !!float x", "not what its tag says"),
        ("a: 1e999", "too large"),
    ],
)
def test_yaml_numbers(text, message):
    if message is None:
        assert parse_document(text, "a.yaml").value == {"a": int("9" * 400)}
        return
    with pytest.raises(InputError, match=message):
        parse_document(text, "a.yaml")


@pytest.mark.parametrize("key", ["a\u2028b", "a\x85b", "k" * 2000, "\x7f", "\ufeff"])
def test_json_that_is_no_yaml_as_a_grammar(key, tmp_path):
    grammar = {"format": "mine", "calls": [], "triggers": [], key: 1}
    assert "E004" not in codes(grammar, tmp_path)
    path = tmp_path / "g.json"
    path.write_text(json.dumps(grammar, ensure_ascii=False), encoding="utf-8")
    found = list(lint([str(path)], Settings(deep=False), Selection()))
    assert [f.code for f in found] == ["W001"]
    with pytest.raises(InputError):
        read_grammar(path)


def test_a_grammar_with_a_value_that_is_not_what_its_tag_says(tmp_path):
    path = tmp_path / "g.yaml"
    path.write_text("format: !!float x\n")
    with pytest.raises(InputError, match="invalid YAML"):
        read_grammar(path)


def test_what_runs_away_in_python_is_broken_off():
    with pytest.raises(OutOfTime), interrupted_after(0.2):
        _stubborn()


def _stubborn():
    while True:
        try:
            time.sleep(0.01)
        except Exception:
            continue


ARGS = '["--model-path", "m"]'
WORKER = """{
\t"kind": "Deployment",
\t"spec": {"template": {"spec": {"containers": [{"name": "main",
\t"command": ["python3", "-m", "dynamo.sglang"], "args": ARGS}]}}}
}"""


@pytest.mark.parametrize("gap", ["\t", " "])
def test_flags_are_set_in_json(gap):
    text = WORKER.replace("ARGS", ARGS).replace("\t", gap)
    edited = with_flags(text, "d.json", None, [("--dyn-tool-call-parser", "hermes")])
    assert '"--dyn-tool-call-parser", "hermes"]' in edited
    json.loads(edited)


@pytest.mark.parametrize(
    "args", ['{"--model-path": "m"}', '"--model-path m"', "[]", "3", "[&a b, &a c]"]
)
def test_arguments_that_are_no_list_cannot_be_edited(args):
    text = "---\n" + WORKER.replace("ARGS", args).replace("\t", " ")
    with pytest.raises(InputError):
        with_flags(text, "d.yaml", None, [("--dyn-tool-call-parser", "hermes")])


def test_flags_are_set_beside_an_argument_that_is_no_text():
    text = "---\n" + WORKER.replace("ARGS", "[x, {a: b}]").replace("\t", " ")
    edited = with_flags(text, "d.yaml", None, [("--dyn-tool-call-parser", "hermes")])
    assert "[x, {a: b}, --dyn-tool-call-parser, hermes]" in edited
