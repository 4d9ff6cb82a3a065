"""Kinds of faults that show in some argument styles only, or only beside another part."""

import pytest

from structag_cli.lint.deep.judge import Judge
from structag_cli.lint.deep.matching import Matching
from structag_cli.lint.deep.probe import probe

PADDED = ["qwen_xml", "minimax_xml", "glm_xml", "cohere_xml", "kimi_k3_xml"]
FLAT = ["qwen_xml", "minimax_xml", "glm_xml", "kimi_k3_xml", "deepseek_xml"]


def parameters(*required, **properties):
    return {"type": "object", "properties": properties, "required": list(required)}


def mismatches(schema, style, effect):
    """The mismatches of one effect; each witness is checked."""
    judge, matching = Judge(schema), Matching(schema, style)
    found = [m for m in probe(schema, style).mismatches if m.effect == effect]
    for each in found:
        assert judge.allows(each.value) is (effect == "forbids") or each.by_format
        assert matching.accepts(each.text) is (effect == "drops")
    return found


@pytest.mark.parametrize("style", PADDED)
def test_space_at_the_edge_of_a_text_that_the_grammar_does_not_count(style):
    schema = parameters("v", v={"type": "string", "maxLength": 2})
    assert "maxLength" in {m.keyword for m in mismatches(schema, style, "drops")}


@pytest.mark.parametrize("style", ["cohere_xml", "kimi_k3_xml"])
def test_space_beside_a_listed_text_that_comes_late(style):
    schema = parameters("v", v={"enum": [1, 2, 3, "a"]})
    assert "enum" in {m.keyword for m in mismatches(schema, style, "drops")}


@pytest.mark.parametrize("style", FLAT)
def test_a_declared_parameter_taken_for_an_undeclared_one(style):
    schema = parameters("c", b={"type": "number"}, c={"type": "number"})
    schema["additionalProperties"] = {"enum": ["x"]}
    found = mismatches(schema, style, "drops")
    assert "/properties/b/type" in {m.pointer for m in found}


@pytest.mark.parametrize("style", ["qwen_xml", "gemma"])
def test_a_declared_parameter_after_one_behind_a_reference(style):
    target = {"type": "string", "format": "json-pointer"}
    schema = parameters(a={"type": "number"}, p={"$ref": "#/$defs/p"}, id={"type": "number"})
    schema["$defs"] = {"p": target}
    found = mismatches(schema, style, "drops")
    assert "/properties/id/type" in {m.pointer for m in found}


def test_a_number_written_as_a_text():
    schema = parameters("v", v={"anyOf": [{"type": "array"}, {"type": "number"}]})
    found = mismatches(schema, "kimi_k3_xml", "drops")
    assert "/properties/v/anyOf" in {m.pointer for m in found}


def test_names_that_a_bare_key_cannot_hold():
    schema = {**parameters(v={}), "additionalProperties": False}
    assert "untyped" in {m.stress for m in mismatches(schema, "gemma", "forbids")}


@pytest.mark.parametrize("style", ["json", "qwen_xml"])
def test_enough_properties_none_of_them_declared(style):
    # No value of `a` is valid, so none with `a` shows what the grammar refuses.
    never = {"type": "string", "not": {"type": "string"}}
    schema = parameters(a=never, b=never)
    schema["minProperties"] = 2
    assert "minProperties" in {m.stress for m in mismatches(schema, style, "forbids")}


def test_a_part_found_later_is_used_where_the_whole_was_refused_before():
    inner = parameters("t", t={"enum": [1000.0, "x"]})
    items = {"enum": ["a", -1], "type": "string"}
    schema = parameters("b", b=inner, v={"type": "array", "items": items})
    found = mismatches(schema, "json", "drops")
    assert "/properties/v/items/type" in {m.pointer for m in found}


@pytest.mark.parametrize("constant", [{"a": [1, 2]}, {}, []])
def test_a_constant_hides_nothing_beside_it_in_nested_elements(constant):
    schema = parameters("c", "v", c={"const": constant}, v={"type": "integer", "minimum": 2})
    schema["properties"]["v"]["not"] = {"const": 7}
    found = mismatches(schema, "cohere_xml", "drops")
    assert "/properties/v/not" in {m.pointer for m in found}


def test_space_before_a_text_that_the_grammar_does_not_count():
    items = [{"type": "integer"}, {"type": "string", "maxLength": 2}]
    schema = parameters(v={"type": "array", "prefixItems": items, "items": False})
    assert "maxLength" in {m.keyword for m in mismatches(schema, "cohere_xml", "drops")}


def test_a_whole_float_among_constants_hides_nothing_beside_it():
    schema = parameters("c", "v", c={"const": 1000.0}, v={"type": "integer", "not": {"const": 7}})
    assert "/properties/v/not" in {m.pointer for m in mismatches(schema, "json", "drops")}


@pytest.mark.parametrize("style", ["qwen_xml", "minimax_xml", "glm_xml"])
def test_a_text_under_a_name_by_pattern_is_read_by_what_it_looks_like(style):
    texts = {"type": "string", "enum": ["a b", "1"]}
    schema = {**parameters(t={"type": "string"}), "patternProperties": {"[0-9]": texts}}
    found = mismatches(schema, style, "drops")
    assert any(m.pointer.startswith("/patternProperties") for m in found)


def test_a_property_is_tried_alone_where_more_are_too_many():
    schema = parameters(a={"type": "number"}, b={"type": "number", "multipleOf": 3})
    schema |= {"minProperties": 1, "maxProperties": 1, "additionalProperties": {"type": "null"}}
    assert "/properties/b/multipleOf" in {m.pointer for m in mismatches(schema, "json", "drops")}


@pytest.mark.parametrize("style", ["qwen_xml", "deepseek_xml", "json"])
def test_a_name_by_pattern_before_a_declared_one(style):
    schema = {**parameters(tags={"type": "string"}), "patternProperties": {"^x-": {}}}
    schema["additionalProperties"] = False
    found = mismatches(schema, style, "forbids")
    assert any("x-" in m.text and m.stress == "property order" for m in found)


@pytest.mark.parametrize("style", ["qwen_xml", "deepseek_xml"])
def test_a_listed_property_name_that_is_not_declared(style):
    schema = {**parameters(a={"type": "string"}, d={}), "propertyNames": {"enum": ["a", "c", "d"]}}
    assert "propertyNames" in {m.stress for m in mismatches(schema, style, "forbids")}
