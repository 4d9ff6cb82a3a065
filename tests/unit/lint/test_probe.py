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


UUID = "^[0-9a-f]{8}-[0-9a-f]{4}$"
LINK = {
    "type": "object",
    "properties": {"type": {"type": "string"}, "target": {"type": "string", "pattern": UUID}},
    "required": ["type", "target"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("more", [{}, {"minContains": 2}, {"minItems": 3}, {"uniqueItems": True}])
def test_what_contains_wants_is_an_item_as_well(more):
    """Else no valid whole is made, and what the grammar forbids anywhere is not seen."""
    cause = {"properties": {"type": {"enum": ["CAUSE"]}}}
    links = {"type": "array", "items": LINK, "contains": cause, **more}
    schema = parameters(links, additionalProperties=False)
    schema["properties"]["s"] = {"type": "string", "pattern": "^pkg:"}
    assert any(
        m.effect == "forbids" and m.pointer == "/properties/s"
        for m in probe(schema, "json").mismatches
    )


def test_many_refusals_hide_no_dropped_keyword():
    short = {"type": "string", "maxLength": 9}
    schema = {
        "type": "object",
        "properties": {
            **{f"p{i}": short for i in range(40)},
            "v": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 3},
        },
    }
    found = probe(schema, "json", seconds=10)
    assert not found.complete
    assert [m.pointer for m in found.mismatches if m.effect == "drops"] == [
        "/properties/v/maxLength"
    ]


CONSTANTS = [
    {"const": {"a": 1, "b": "x y"}},
    {"enum": [{"a": 1}, {"b": [1, 2]}]},
    {"const": [1, 2]},
    {"$ref": "#/$defs/c"},
]


@pytest.mark.parametrize("style", ["json", "qwen_xml"])
@pytest.mark.parametrize("constant", CONSTANTS)
def test_a_constant_that_takes_no_spaces_hides_nothing_beside_it(constant, style):
    schema = {
        "type": "object",
        "properties": {"c": constant, "x": {"type": "integer", "not": {"const": 7}}},
        "required": ["c", "x"],
        "$defs": {"c": {"const": {"a": 1, "b": 2}}},
    }
    found = probe(schema, style).mismatches
    judge, matching = Judge(schema), Matching(schema, style)
    (drop,) = [m for m in found if m.effect == "drops"]
    assert drop.pointer == "/properties/x/not"
    assert matching.accepts(drop.text)
    assert judge.allows(drop.value) is False
    assert any(m.effect == "forbids" and "/c" in m.pointer for m in found)


def test_a_string_that_holds_a_constants_text_is_told_as_it_is_written():
    schema = parameters({"type": "string"})
    schema["properties"]["c"] = {"const": [1, 2]}
    written = Matching(schema, "json").text_of({"v": "[1, 2]", "c": [1, 2]}, compact=True)
    assert written == ('{"v": "[1,2]", "c": [1,2]}', {"v": "[1,2]", "c": [1, 2]})


@pytest.mark.parametrize(
    ("format", "values"),
    [
        ("hostname", {"a": True, "a\n": False, "a b": False}),
        ("time", {"10:00:00Z": True, "10:00:00Z\n": False}),
        ("uri-template", {"/{a}": True, "aéb": True, "hello world": False, "<b>": False}),
        ("json-pointer", {"/a\n": True, "a": False}),
        ("of-nobody", {"a\n": True}),
    ],
)
def test_a_format_holds_for_sure_where_its_rfc_says_so(format, values):
    judge = Judge({"type": "string", "format": format})
    assert {value: judge.formats_surely_hold(value) for value in values} == values


@pytest.mark.parametrize("format", ["hostname", "time", "date-time", "uri-template"])
def test_what_no_format_allows_is_no_valid_data_refused(format):
    found = probe({"type": "string", "format": format}, "json", 2.0)
    refused = [json.loads(m.text) for m in found.mismatches if m.effect == "forbids"]
    told = [m for m in found.mismatches if m.effect == "forbids" and not m.by_format]
    assert refused
    assert not [m for m in told if set(json.loads(m.text)) & set("\n\t <>")]


@pytest.mark.parametrize("odd", [{"type": "string"}, [], 5, None, "no draft"])
def test_a_schema_that_names_no_draft_is_probed(odd):
    inner = {"$schema": odd, "type": "string", "format": "hostname"}
    for schema in (inner, {"$schema": odd, "properties": {"x": inner}, "required": ["x"]}):
        judge = Judge(schema)
        assert not judge.formats_surely_hold("a\n") or schema is not inner
        assert judge.part_wholly_allows(inner, "a b") is False
        assert probe(schema, "json", 0.3).mismatches


def test_an_unknown_document_speaks_against_no_format():
    schema = {
        "type": "object",
        "properties": {"host": {"type": "string", "format": "hostname"}, "x": {"$ref": "x:y"}},
    }
    judge = Judge(schema)
    assert judge.formats_surely_hold({"host": "a", "x": 1})
    assert not judge.formats_surely_hold({"host": "a\n", "x": 1})
