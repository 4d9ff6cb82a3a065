"""What xgrammar 0.2.9 does with known kinds of schemas is found, with a true witness."""

import json

import pytest

from structag_cli.lint.deep.judge import Judge
from structag_cli.lint.deep.matching import Matching
from structag_cli.lint.deep.probe import probe


def parameters(property, **more):
    return {"type": "object", "properties": {"v": property}, "required": ["v"], **more}


DROPS = {
    "uniqueItems": parameters({"type": "array", "items": {"type": "integer"}, "uniqueItems": True}),
    "not": parameters({"type": "string", "not": {"const": "a"}}),
    "contains": parameters(
        {"type": "array", "items": {"type": "integer"}, "contains": {"const": 5}}
    ),
    "allOf": parameters(
        {
            "allOf": [
                {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
                {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]},
            ]
        }
    ),
    "dependentRequired": {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "dependentRequired": {"a": ["b"]},
    },
    "pattern": parameters({"pattern": "^a+$"}),
    "maxLength": parameters({"type": "string", "pattern": "^[a-z]+$", "maxLength": 3}),
}
FORBIDS = {
    "newline": parameters({"type": "string", "maxLength": 20}),
    "required": parameters({"type": "object", "required": ["a"]}),
    "patternProperties": parameters(
        {
            "type": "object",
            "patternProperties": {"^s_": {"type": "string"}},
            "additionalProperties": False,
        }
    ),
    "unanchored": parameters({"type": "string", "pattern": "abc"}),
}

# An escape is refused in each of the texts before anything is dropped.
CROWDED = {
    "type": "object",
    "properties": {
        **{f"p{n}": {"type": "string", "maxLength": 9 + n} for n in range(40)},
        "last": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True},
    },
    "required": [f"p{n}" for n in range(40)],
    "additionalProperties": False,
}

LINK = {
    "type": "object",
    "properties": {"kind": {"type": "string"}, "target": {"type": "string"}},
    "required": ["kind", "target"],
    "additionalProperties": False,
}
NESTED = {
    "$defs": {
        "any": {"oneOf": [{"$ref": "#/$defs/name"}, {"$ref": "#/$defs/record"}]},
        "name": {"type": "string", "enum": ["a", "b"]},
        "record": {"type": "object", "properties": {"n": {"type": "boolean"}}, "required": ["n"]},
    },
    "oneOf": [{"$ref": "#/$defs/any"}],
}
ODD_KEYS = {
    "type": "object",
    "patternProperties": {r"^\..+$": {"type": "string", "enum": ["a"]}},
    "additionalProperties": False,
}
SEVERAL = {
    "contains beside items": (
        "property order",
        parameters(
            {
                "type": "array",
                "items": LINK,
                "contains": {"properties": {"kind": {"enum": ["CAUSE"]}}, "required": ["kind"]},
                "minItems": 1,
            },
            additionalProperties=False,
        ),
    ),
    "choices inside choices": ("extra property", NESTED),
    "letters in keys by pattern": ("patternProperties", ODD_KEYS),
}


@pytest.mark.parametrize("schema", DROPS.values(), ids=DROPS)
def test_finds_what_is_dropped(schema):
    found = [m for m in probe(schema, "json").mismatches if m.effect == "drops"]
    assert found
    judge, matching = Judge(schema), Matching(schema, "json")
    for each in found:
        assert each.by_format or judge.allows(json.loads(each.text)) is False
        assert matching.accepts(each.text)


@pytest.mark.parametrize("schema", FORBIDS.values(), ids=FORBIDS)
def test_finds_valid_data_that_is_refused(schema):
    ordinary = ("property order", "extra property", "property name")
    found = [m for m in probe(schema, "json").mismatches if m.effect == "forbids"]
    assert [m for m in found if m.stress not in ordinary]
    judge, matching = Judge(schema), Matching(schema, "json")
    for each in found:
        assert judge.allows(json.loads(each.text)) is True
        assert not matching.accepts(each.text)


@pytest.mark.parametrize(("stress", "schema"), SEVERAL.values(), ids=SEVERAL)
def test_finds_what_is_refused_where_a_valid_value_is_hard_to_make(stress, schema):
    found = [m for m in probe(schema, "json").mismatches if m.effect == "forbids"]
    assert stress in {m.stress for m in found}
    judge, matching = Judge(schema), Matching(schema, "json")
    for each in found:
        assert judge.allows(json.loads(each.text))
        assert not matching.accepts(each.text)


def test_much_of_one_effect_does_not_hide_the_other():
    effects = {m.effect for m in probe(CROWDED, "json", 20).mismatches}
    assert effects == {"drops", "forbids"}


def test_a_plain_schema_has_no_fault():
    schema = parameters({"type": "string"}, additionalProperties=False)
    assert probe(schema, "json").mismatches == []


def test_is_deterministic():
    first, second = (probe(FORBIDS["required"], "json").mismatches for _ in range(2))
    assert first == second


def test_a_schema_that_does_not_compile():
    result = probe(parameters({"type": "string", "pattern": "(?<=a)b"}), "json")
    assert result.error
    assert not result.mismatches
