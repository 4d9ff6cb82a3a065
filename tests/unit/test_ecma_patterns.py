"""Patterns of ECMA-262 that Python's ``re`` refuses are judged all the same."""

import pytest
from jsonschema.validators import Draft202012Validator

from structag_cli.ecma_patterns import reading, searcher
from structag_cli.lint.deep.judge import Judge
from structag_cli.lint.deep.probe import probe
from structag_cli.reader.verdicts import schema_errors

CASES = [
    (r"^(?<year>\d{4})$", "2024", "24"),
    (r"^\p{Lu}", "Élan", "élan"),
    (r"^a+$", "aa", "b"),
]


@pytest.mark.parametrize(("pattern", "right", "wrong"), CASES)
def test_patterns(pattern, right, wrong):
    schema = {"type": "string", "pattern": pattern}
    assert schema_errors(right, schema) == ()
    assert "does not match" in schema_errors(wrong, schema)[0]
    judge = Judge(schema)
    assert (judge.allows(right), judge.allows(wrong)) == (True, False)


@pytest.mark.parametrize(("pattern", "right", "wrong"), CASES)
def test_keys(pattern, right, wrong):
    judge = reading(Draft202012Validator)({"patternProperties": {pattern: {"type": "integer"}}})
    assert judge.is_valid({right: 1, wrong: "x"})
    (error,) = judge.iter_errors({right: "x"})
    assert list(error.absolute_schema_path) == ["patternProperties", pattern, "type"]


def test_a_pattern_that_nothing_reads_costs_no_other_finding():
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "string", "pattern": "(?<broken"},
            "b": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True},
        },
    }
    assert Judge(schema).allows({"a": "x"}) is None
    assert Judge(schema).first_error({"b": [1, 1], "a": "x"})[0] in ("uniqueItems", "")
    clean = {**schema, "properties": {"b": schema["properties"]["b"], "a": {"not": {}}}}
    assert {m.keyword for m in probe(clean, "json", 1.0).mismatches if m.effect == "drops"} >= {
        "uniqueItems"
    }


@pytest.mark.parametrize(
    ("pattern", "right", "wrong"),
    [
        (r"^\w+$", "a_1", "é"),
        (r"^[\w-]+$", "a-1", "é-"),
        (r"^\W$", "é", "a"),
        (r"^[\W]$", "é", "_"),
        (r"^\d$", "7", "\u0667"),
        (r"^\D$", "\u0667", "7"),
        (r"^[^\d]$", "\u0667", "7"),
        (r"^\s$", "\ufeff", "\u0085"),
        (r"^\S$", "\u0085", "\u00a0"),
        (r"^[\s\S]+$", "a\n\u00a0", ""),
        (r"^a$", "a", "a\n"),
        (r"^.$", "é", "\r"),
        (r"^[.$]$", "$", "a"),
        (r"^\.\$$", ".$", "a$"),
        (r"\bé", "aé", "éé"),
        (r"\Bé", "éé", "aé"),
        (r"^[\]\w]$", "]", "é"),
        (r"^\\w$", "\\w", "\\a"),
        (r"^(?<w>\w)\p{L}$", "aé", "éé"),
    ],
)
def test_classes_and_ends_are_read_as_ecma_262_has_them(pattern, right, wrong):
    judge = Judge({"type": "string", "pattern": pattern})
    assert (judge.allows(right), judge.allows(wrong)) == (True, False)


def test_every_class_is_the_rest_of_its_opposite():
    for letter in "wds":
        inside, outside = searcher(rf"^\{letter}$"), searcher(rf"^\{letter.upper()}$")
        for code in range(0x11000):
            assert bool(inside(chr(code))) != bool(outside(chr(code))), (letter, code)
