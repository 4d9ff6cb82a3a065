"""Rules about schemas that hurt, held against what xgrammar itself does with them."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from structag_cli.engine.text import TextGrammar, compile_text
from structag_cli.errors import EngineError
from structag_cli.lint.bounds import impossible
from structag_cli.lint.contradictions import contradictions
from structag_cli.lint.deep.result import ProbeResult
from structag_cli.lint.finite import endless
from structag_cli.lint.reach import reachable
from structag_cli.lint.registry import rules
from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import RawTool, Settings, Subject
from structag_cli.lint.unbounded import without_bound
from structag_cli.sources import Document


def grammar(schema) -> TextGrammar:
    return compile_text({"format": {"type": "json_schema", "json_schema": schema}})


def refused(schema) -> bool:
    try:
        grammar(schema)
    except EngineError:
        return True
    return False


def holding(schema):
    return {"type": "object", "properties": {"v": schema}, "required": ["v"]}


def some(**bounds):
    """A schema with any of these bounds."""
    return st.fixed_dictionaries({}, optional=bounds)


small = st.integers(0, 4)
near = st.integers(-3, 6)
NODES = st.one_of(
    some(
        minimum=near,
        maximum=near,
        exclusiveMinimum=near,
        exclusiveMaximum=near,
        multipleOf=st.integers(1, 7),
    ).map(lambda s: {"type": "integer", **s}),
    some(minimum=near, maximum=near, exclusiveMinimum=near, exclusiveMaximum=near).map(
        lambda s: {"type": "number", **s}
    ),
    some(minLength=small, maxLength=small).map(lambda s: {"type": "string", **s}),
    some(minLength=small, maxLength=small).map(lambda s: {"type": ["string", "null"], **s}),
    # `maxItems: 0` is refused though it can be met: F001 says so, not F005.
    some(
        minItems=small, maxItems=st.integers(1, 4), prefixItems=st.just([{"type": "integer"}])
    ).map(lambda s: {"type": "array", "items": False, **s}),
    some(minItems=small, maxItems=small).map(
        lambda s: {"type": "array", "items": {"type": "integer"}, **s}
    ),
    some(
        minProperties=small, maxProperties=small, required=st.sampled_from([["a"], ["a", "b"]])
    ).map(
        lambda s: {
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
            "additionalProperties": False,
            **s,
        }
    ),
    st.sampled_from([False, {"enum": []}, {"enum": [1]}, {}, {"anyOf": [False, {}]}]),
)


@given(NODES)
@example({"type": "array", "prefixItems": [{"type": "integer"}] * 2, "maxItems": 1})
@settings(max_examples=250, deadline=None)
def test_what_is_called_impossible_is_what_xgrammar_refuses(node):
    schema = holding(node)
    found = [fault for below, _ in reachable(schema) for fault in impossible(below)]
    assert bool(found) == refused(schema), (node, found)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {}, "$defs": {"unused": {"enum": []}}},
        holding({"type": "integer", "not": {"enum": []}}),
        holding({"type": "integer", "enum": [1], "minimum": 5, "maximum": 1}),
        holding({"minLength": 5, "maxLength": 1}),
    ],
    ids=["unused definition", "not", "bounds beside enum", "bounds without type"],
)
def test_what_xgrammar_passes_over_is_passed_over(schema):
    assert not refused(schema)
    assert [f for node, _ in reachable(schema) for f in impossible(node)] == []


CONTRADICTIONS = {
    "enum outside the type": ({"type": "integer", "enum": ["a", 1]}, '"a"'),
    "const outside the type": ({"type": "string", "const": 5}, "5"),
    "enum above the bound": ({"type": "integer", "enum": [9], "maximum": 5}, "9"),
    "enum too long": ({"type": "string", "enum": ["abc"], "maxLength": 2}, '"abc"'),
    "enum of an array": ({"type": "array", "enum": ["a"], "items": {"type": "string"}}, '"a"'),
    "constants that differ": ({"allOf": [{"const": "a"}, {"const": "b"}]}, "17"),
    "types that differ": ({"allOf": [{"type": "string"}, {"type": "integer"}]}, "null"),
    "no branch": ({"anyOf": []}, ""),
    "no branch of one": ({"oneOf": []}, ""),
}


@pytest.mark.parametrize(("node", "value"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_contradiction_is_named_and_xgrammar_writes_it(node, value):
    assert len(list(contradictions(node, node))) == 1
    assert grammar(holding(node)).check(f'{{"v": {value}}}').accepted


@pytest.mark.parametrize(
    "node",
    [
        {"type": "integer", "enum": [1, 2]},
        {"type": ["string", "null"], "enum": ["a", None]},
        {"type": "string", "nullable": True, "enum": ["a", None]},
        {"type": "number", "enum": [1, 1.5]},
        {"allOf": [{"type": "number"}, {"type": "integer"}]},
        {"allOf": [{"const": 1}, {"minimum": 0}]},
        {"type": "str", "enum": ["a"]},
    ],
)
def test_what_agrees_is_silent(node):
    assert list(contradictions(node, node)) == []


def recursive(node):
    schema = {"type": "object", "properties": {"v": {"$ref": "#/$defs/n"}}, "required": ["v"]}
    return {**schema, "$defs": {"n": node}}


HERE = {"$ref": "#/$defs/n"}
ENDLESS = {
    "itself": HERE,
    "required": {"type": "object", "properties": {"n": HERE}, "required": ["n"]},
    "items": {"type": "array", "items": HERE, "minItems": 1},
    "only branch": {"anyOf": [HERE]},
    "member": {"allOf": [{"type": "object"}, HERE]},
}
ENDING = {
    "optional": ({"type": "object", "properties": {"n": HERE}}, {}),
    "branch": ({"anyOf": [HERE, {"type": "null"}]}, None),
    "empty array": ({"type": "array", "items": HERE}, []),
    "required with a branch": (
        {
            "type": "object",
            "properties": {"n": {"anyOf": [HERE, {"type": "null"}]}},
            "required": ["n"],
        },
        {"n": None},
    ),
}


@pytest.mark.parametrize("node", ENDLESS.values(), ids=ENDLESS)
def test_recursion_without_a_way_out(node):
    assert endless(recursive(node))


@pytest.mark.parametrize(("node", "value"), ENDING.values(), ids=ENDING)
def test_recursion_that_ends(node, value):
    assert endless(recursive(node)) == []
    assert grammar(recursive(node)).check(json.dumps({"v": value})).accepted


def test_nothing_finishes_what_requires_itself():
    compiled = grammar(recursive(ENDLESS["required"]))
    text = '{"v": '
    for _ in range(50):
        text += '{"n": '
        assert compiled.check(text).prefix
        assert not compiled.check(text + "null").prefix
        assert not compiled.check(text + "{}").prefix


GROWING = {
    "array": ({"type": "array", "items": {"type": "integer"}}, "array"),
    "least only": ({"type": "array", "items": {"type": "integer"}, "minItems": 1}, "array"),
    "object": ({"type": "object"}, "object"),
    "more allowed": ({"type": "object", "additionalProperties": {"type": "integer"}}, "object"),
    "string": ({"type": "string"}, "string"),
}


@pytest.mark.parametrize(("node", "kind"), GROWING.values(), ids=GROWING)
def test_what_can_grow_grows(node, kind):
    assert list(without_bound(holding(node))) == [("/properties/v", kind)]
    many = {
        "array": list(range(400)),
        "object": {f"k{i}": i for i in range(400)},
        "string": "a" * 4000,
    }[kind]
    assert grammar(holding(node)).check(json.dumps({"v": many})).accepted


@pytest.mark.parametrize(
    "node",
    [
        {"type": "array", "items": {"type": "integer"}, "maxItems": 3},
        {"type": "array", "prefixItems": [{"type": "integer"}], "items": False},
        {"type": "object", "properties": {"a": {"type": "integer"}}},
        {"type": "object", "additionalProperties": False},
        {"type": "string", "enum": ["a"]},
        {"type": "string", "format": "date"},
        {"type": "integer"},
    ],
)
def test_what_is_bounded_is_silent(node):
    assert list(without_bound(holding(node))) == []


def test_optional_rules_run_where_they_are_selected(tmp_path):
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(rules()["F011"].bad))
    deepless = Settings(deep=False)
    assert "F011" not in {f.code for f in lint([str(path)], deepless, Selection())}
    assert "F011" not in {f.code for f in lint([str(path)], deepless, Selection(("F",)))}
    assert {f.code for f in lint([str(path)], deepless, Selection(("F011",)))} == {"F011"}


def test_a_list_that_is_slow_in_sum_names_the_slowest():
    tools = tuple(
        RawTool(i, {"name": f"t{i}", "parameters": {}}, f"/{i}", "parameters") for i in range(3)
    )
    subject = Subject(Document([], "tools.json"), "tools", Settings(), [], tools=tools)
    subject.probes = {i: ProbeResult(seconds=s, size=100) for i, s in enumerate((0.4, 1.5, 0.6))}
    (found,) = rules()["F009"].check(subject)
    assert "3 tools take 2.5 s" in found.message
    assert "most: t1 1.50 s" in found.message
    subject.probes[1] = ProbeResult(seconds=2.5, size=100)
    assert list(rules()["F009"].check(subject)) == []
    assert len(list(rules()["F003"].check(subject))) == 1


BAD = {"type": "object", "properties": {"n": {"enum": []}}}
TAG = {"type": "tag", "begin": "<f>", "content": {"type": "json_schema", "json_schema": BAD}}
ELSEWHERE = {
    "in a tag": (
        {"type": "structural_tag", "format": {**TAG, "end": "</f>"}},
        "/format/content/json_schema/properties/n/enum",
        "<f>",
    ),
    "in the older form": (
        {"structures": [{"begin": "<f>", "schema": BAD, "end": "</f>"}], "triggers": ["<f>"]},
        "/structures/0/schema/properties/n/enum",
        "<f>",
    ),
    "of a response format": (
        {
            "messages": [],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "n", "schema": BAD},
            },
        },
        "/response_format/json_schema/schema/properties/n/enum",
        "response_format",
    ),
}


@pytest.mark.parametrize(("document", "pointer", "name"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_schemas_outside_of_tools_are_looked_at(document, pointer, name, tmp_path):
    path = tmp_path / "document.json"
    path.write_text(json.dumps(document))
    found = list(lint([str(path)], Settings(deep=False), Selection(("F005",))))
    assert [(f.place.pointer, f.subject) for f in found] == [(pointer, name)]
