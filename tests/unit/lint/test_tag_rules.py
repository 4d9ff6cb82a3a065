"""Rules about tags, held against what xgrammar itself does with the tag."""

import json

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from structag_cli.emit import anatomy
from structag_cli.engine.native import xgrammar
from structag_cli.engine.text import compile_text
from structag_cli.errors import EngineError
from structag_cli.findings import Severity
from structag_cli.lint.detect import subjects
from structag_cli.lint.ordinary import ordinary
from structag_cli.lint.registry import rules
from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings
from structag_cli.lint.tag_shape import fewest_calls, nullable, texts, unlimited
from structag_cli.lint.whitespace import only_space

ARGUMENTS = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
SCHEMA = {"type": "json_schema", "json_schema": ARGUMENTS}
VALUE = '{"a": 1}'
STOP = "<|im_end|>"
CONST = {"type": "const_string", "value": "xyz"}


def tag(begin="<f>", content=SCHEMA, end="</f>"):
    return {"type": "tag", "begin": begin, "content": content, "end": end}


def triggered(*tags, triggers=("<f",), **more):
    return {"type": "triggered_tags", "triggers": list(triggers), "tags": list(tags), **more}


def separated(*tags, **more):
    return {"type": "tags_with_separator", "separator": ",", "tags": list(tags), **more}


def sequence(*elements):
    return {"type": "sequence", "elements": list(elements)}


def whole(node):
    return {"type": "structural_tag", "format": node}


def grammar(node):
    return compile_text(whole(node))


def found(code, node, folder, **more):
    path = folder / "tag.json"
    path.write_text(json.dumps(node if "structures" in node else whole(node)))
    (subject,) = subjects(str(path), Settings(deep=False, **more))
    return list(rules()[code].check(subject))


LEAVES = st.sampled_from(
    [
        CONST,
        {"type": "const_string", "value": ""},
        {"type": "any_text"},
        {"type": "any_text", "excludes": ["q"]},
        SCHEMA,
        tag(),
        tag("", {"type": "any_text"}, ["", "</t>"]),
        triggered(tag()),
        triggered(tag(), at_least_one=True),
        triggered(tag(), excludes=["q"]),
        separated(tag()),
        separated(tag(), at_least_one=True, stop_after_first=True),
        {"type": "dispatch", "rules": [["<d>", CONST]]},
        {"type": "dispatch", "rules": [["<d>", CONST]], "excludes": ["q"]},
        {"type": "any_tokens", "exclude_tokens": [3]},
    ]
)
NODES = st.recursive(
    LEAVES,
    lambda below: st.one_of(
        st.lists(below, min_size=1, max_size=3).map(lambda e: sequence(*e)),
        st.lists(below, min_size=1, max_size=3).map(lambda e: {"type": "or", "elements": e}),
        below.map(lambda c: {"type": "optional", "content": c}),
        below.map(lambda c: {"type": "repeat", "min": 1, "max": 2, "content": c}),
        below.map(lambda c: tag("<t>", c, "</t>")),
    ),
    max_leaves=5,
)


@given(NODES)
@settings(max_examples=150, deadline=None)
def test_what_may_be_empty(node):
    try:
        compiled = grammar(node)
    except EngineError:
        assume(False)
    assert nullable(node) == compiled.check("").accepted, node


@given(NODES)
@settings(max_examples=150, deadline=None)
def test_what_xgrammar_counts_as_unlimited(node):
    try:
        grammar(node)
    except EngineError:
        assume(False)
    refused = False
    try:
        grammar(tag("<t>", node, ""))
    except EngineError as err:
        refused = "unlimited" in err.message
    assert unlimited(node) == refused, node


E1 = tag(end=STOP)
STOPS = {
    "list": separated(E1),
    "list in a block": tag("<b>", separated(E1), "</b>"),
    "triggered": triggered(E1),
    "triggered in a block": tag("<b>", triggered(E1), "</b>"),
    "triggered, then text": sequence(triggered(E1), CONST),
    "plus": {"type": "plus", "content": E1},
    "twice": {"type": "repeat", "min": 2, "max": 2, "content": E1},
    "optional": {"type": "optional", "content": E1},
    "last": sequence(CONST, E1),
    "then a text": sequence(E1, CONST),
    "then free text": sequence(E1, {"type": "any_text"}),
    "then an option": sequence(E1, {"type": "optional", "content": CONST}),
    "inner tag": tag("<b>", E1, "</b>"),
    "inner tag, open end": tag("<b>", E1, ""),
    "after the end": sequence(tag(), {"type": "const_string", "value": STOP}),
    "with more behind": tag(end=STOP + "\n"),
    "dispatch": {"type": "dispatch", "rules": [["<f>", tag("", SCHEMA, STOP)]]},
}


@pytest.mark.parametrize("node", STOPS.values(), ids=STOPS)
def test_where_a_stop_token_is_masked(node, tmp_path):
    xgr = xgrammar()
    vocabulary = [bytes([value]) for value in range(256)] + [STOP.encode()]
    info = xgr.TokenizerInfo(vocabulary, vocab_type=xgr.VocabType.RAW, stop_token_ids=[256])
    compiler = xgr.GrammarCompiler(info, max_threads=1, cache_enabled=False)
    matcher = xgr.GrammarMatcher(compiler.compile_structural_tag(json.dumps(whole(node))))
    before = f"<f>{VALUE}"
    before = "<b>" + before if node.get("begin") == "<b>" else before
    if node["type"] == "sequence":
        before = ("xyz" if node["elements"][0] is CONST else "") + before
        before += "</f>" if node["elements"][0] == tag() else ""
    assert matcher.accept_string(before)
    masked = not matcher.accept_token(256)
    assert bool(found("G018", node, tmp_path)) == masked


def test_fixed_texts_have_their_places():
    node = sequence(tag("<a>", SCHEMA, ["</a>", ""]), separated(tag("<b>")))
    pointers = {place: text for place, text, _ in texts(node, "/format")}
    assert pointers["/format/elements/0/end/0"] == "</a>"
    assert pointers["/format/elements/1/separator"] == ","
    assert pointers["/format/elements/1/tags/0/begin"] == "<b>"


PLAIN = {"type": "json_schema", "json_schema": {"type": "integer"}}
INDEX = {"type": "regex", "pattern": "[0-9]+"}


def inner(name, content=SCHEMA):
    return tag(f"<a n={name}>", content, "</a>")


OPTIONAL = {
    "json_schema": SCHEMA,
    "grammar": {"type": "grammar", "grammar": 'root ::= "x"'},
    "any_text": {"type": "any_text"},
    "any_tokens": {"type": "any_tokens", "exclude_tokens": [3]},
    "triggered_tags": triggered(tag()),
    "tags_with_separator": separated(tag()),
    "dispatch": {"type": "dispatch", "rules": [["<d>", CONST]]},
    "token_dispatch": {"type": "token_dispatch", "rules": [[5, CONST]]},
}


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        (kind, name)
        for kind in OPTIONAL
        for name, field in anatomy.NODES[kind].items()
        if not field.required
    ],
)
def test_null_is_told_where_xgrammar_refuses_it(kind, field, tmp_path):
    node = {**OPTIONAL[kind], field: None}
    try:
        grammar(node)
    except EngineError:
        (finding,) = found("G001", node, tmp_path)
        assert finding.pointer == f"/format/{field}"
    else:
        assert not found("G001", node, tmp_path)


UNTYPED = {"begin": "<f>", "content": SCHEMA, "end": "</f>"}


@pytest.mark.parametrize(
    "node",
    [
        UNTYPED,
        triggered(UNTYPED),
        separated(UNTYPED),
        sequence(UNTYPED, CONST),
        {"type": "optional", "content": UNTYPED},
        {"type": "dispatch", "rules": [["<d>", UNTYPED]]},
        tag("<b>", triggered({**UNTYPED, "content": {"type": "optional", "content": UNTYPED}})),
    ],
)
def test_tags_are_known_without_their_type_as_xgrammar_knows_them(node, tmp_path):
    grammar(node)
    assert not found("G001", node, tmp_path)


def test_what_is_no_tag_needs_its_type(tmp_path):
    for content in ({}, {"pattern": "x"}):
        with pytest.raises(EngineError):
            grammar(sequence(content))
        assert found("G001", sequence(content), tmp_path)


def test_faults_are_found_in_tags_without_their_type(tmp_path):
    (finding,) = found("G001", triggered({**UNTYPED, "begin": 3}), tmp_path)
    assert finding.pointer == "/format/tags/0/begin"
    assert found("G002", triggered({**UNTYPED, "more": 3}), tmp_path)
    assert found("G020", sequence(UNTYPED, UNTYPED), tmp_path)


CALLS = {
    "one": (tag(), 1),
    "two": (sequence(tag(), tag("<g>")), 2),
    "reasoning first": (sequence(tag("<t>", {"type": "any_text"}, "</t>"), tag()), 1),
    "repeated": ({"type": "repeat", "min": 2, "max": 3, "content": tag()}, 2),
    "auto": (triggered(tag()), 0),
    "required": (triggered(tag(), at_least_one=True), 1),
    "block": (tag("<b>", separated(tag(), at_least_one=True), "</b>"), 1),
    "arguments": (tag("<c>", sequence(INDEX, inner("x"), inner("y")), "</c>"), 1),
    "deeper": (tag("<c>", sequence(INDEX, sequence(inner("x"), inner("y"))), "</c>"), 1),
    "plain values": (tag("<c>", sequence(inner("x", PLAIN), inner("y")), "</c>"), 1),
    "either": ({"type": "or", "elements": [sequence(tag(), tag("<g>")), tag()]}, 1),
}


def test_calls_in_a_block_are_counted():
    assert fewest_calls(tag("<b>", sequence(tag(), tag("<g>")), "</b>")) == 2


def test_arguments_without_a_bound_are_not_calls(tmp_path):
    more = {"type": "star", "content": tag("<a ", {"type": "any_text"}, "</a>")}
    [finding] = found("G013", tag("<c>", sequence(INDEX, more), "</c>"), tmp_path)
    assert "arguments" in finding.message
    assert finding.severity is Severity.INFO
    [finding] = found("G013", tag("<b>", more, "</b>"), tmp_path)
    assert "calls" in finding.message
    assert finding.severity is None


@pytest.mark.parametrize(("node", "count"), CALLS.values(), ids=CALLS)
def test_the_fewest_calls(node, count, tmp_path):
    assert fewest_calls(node) == count
    assert bool(found("G020", node, tmp_path)) == (count > 1)
    if count > 1:
        after = grammar(node).check(f"<f>{VALUE}</f>")
        assert (after.prefix, after.accepted) == (True, False)
        assert not grammar(node).check(f"<f>{VALUE}</f>x").prefix


@pytest.mark.parametrize("trigger", ["f", "call", "function", "{", "<", '{"name": "', "action"])
def test_a_trigger_in_words_makes_them_impossible(trigger, tmp_path):
    node = triggered(tag(trigger + "Qz9("), triggers=[trigger])
    word = ordinary(trigger)
    assert not grammar(node).check(word + " and so on").prefix
    (only,) = found("G005", node, tmp_path)
    assert repr(word) in only.message
    assert "'Qz9('" in only.message


@pytest.mark.parametrize("trigger", ["<tool_call>", "<|python_tag|>", "[TOOL_CALLS]"])
def test_a_trigger_of_markup_is_silent(trigger, tmp_path):
    assert found("G005", triggered(tag(trigger), triggers=[trigger]), tmp_path) == []


@given(st.text("<f>/ax", min_size=1, max_size=4), st.booleans())
@settings(max_examples=150, deadline=None)
def test_excludes_forbid_what_the_rule_says(banned, first):
    node = triggered(tag(), excludes=[banned], at_least_one=first)
    calls = f"<f>{VALUE}</f>" * (2 if first else 1)
    possible = grammar(node).check(calls).accepted
    hit = banned in "<f"
    assert possible is not hit


def test_excludes_hit_the_trigger_alone(tmp_path):
    for banned, hit in (("<f", True), ("<", True), (">", False), ("<f>", False), ("</f>", False)):
        assert bool(found("G011", triggered(tag(), excludes=[banned]), tmp_path)) == hit
    node = {"type": "dispatch", "rules": [["<f", CONST]], "excludes": ["<"]}
    assert found("G011", node, tmp_path)
    assert not grammar(node).check("<fxyz").prefix


def test_an_empty_exclude(tmp_path):
    free = {"type": "any_text", "excludes": [""]}
    assert grammar(free).check("").accepted
    assert not grammar(free).check("a").prefix
    assert "only the empty text" in found("G011", free, tmp_path)[0].message
    with pytest.raises(EngineError, match="non-empty"):
        grammar(triggered(tag(), excludes=[""]))
    assert "refuses" in found("G011", triggered(tag(), excludes=[""]), tmp_path)[0].message


def test_an_empty_end(tmp_path):
    (refused,) = found("G012", tag("<t>", {"type": "any_text"}, ""), tmp_path)
    assert refused.severity.word == "error"
    either = sequence(tag("<t>", {"type": "any_text"}, ["", "</t>"]), CONST)
    assert grammar(either).check("<t>some textxyz").accepted
    assert "binds nothing" in found("G012", either, tmp_path)[0].message
    open_end = tag("<t>", {"type": "any_text", "excludes": ["q"]}, "")
    assert found("G012", open_end, tmp_path) == []
    assert found("G012", sequence(open_end, CONST), tmp_path)
    assert found("G012", tag("<t>", SCHEMA, ""), tmp_path) == []


def test_a_begin_that_is_anothers_prefix(tmp_path):
    doubtful = triggered(tag("<f", {"type": "any_text"}), tag("<f2"))
    assert grammar(doubtful).check("<f2 anything</f>").accepted
    assert len(found("G017", doubtful, tmp_path)) == 1
    plain = triggered(tag("<f"), tag("<f2"))
    assert not grammar(plain).check('<f2{"b": 1}</f>').prefix
    assert found("G017", plain, tmp_path) == []


@pytest.mark.parametrize(
    "style", ["qwen_xml", "minimax_xml", "deepseek_xml", "glm_xml", "cohere_xml", "kimi_k3_xml"]
)
def test_white_space_without_end(style):
    schema = {"type": "object", "properties": {}}
    node = {"type": "json_schema", "json_schema": schema, "style": style}
    endless = grammar(tag("<f>", node, "~"))
    assert endless.check("<f>" + "\t" * 500 + "~").accepted
    assert not endless.check("<f>\t<").prefix
    assert only_space(schema, style)
    limited = grammar(tag("<f>", {**node, "max_whitespace_cnt": 2}, "~"))
    assert not limited.check("<f>" + "\t" * 500).prefix


@pytest.mark.parametrize("style", ["json", "gemma"])
def test_brackets_are_written_in_other_styles(style):
    node = {"type": "json_schema", "json_schema": {"type": "object"}, "style": style}
    assert not grammar(tag("<f>", node)).check("<f>\t").prefix
    assert not only_space({"type": "object"}, style)


@pytest.mark.parametrize("field", ["excludes", "stop_after_first"])
def test_a_field_in_the_wrong_place(field, tmp_path):
    path = tmp_path / "tag.json"
    path.write_text(json.dumps({**whole(triggered(tag())), field: True}))
    (subject,) = subjects(str(path), Settings(deep=False))
    (only,) = rules()["G002"].check(subject)
    assert only.pointer == f"/{field}"


def test_fields_of_the_older_form(tmp_path):
    old = {"begin": "<f>", "schema": ARGUMENTS, "end": "</f>"}
    good = {"type": "structural_tag", "structures": [old], "triggers": ["<f"]}
    assert found("G002", good, tmp_path) == []
    bad = {**good, "structures": [{**old, "shema": {}}], "at_least_on": True}
    assert {f.pointer for f in found("G002", bad, tmp_path)} == {
        "/structures/0/shema",
        "/at_least_on",
    }


def place_of(document, folder, code):
    path = folder / "tag.json"
    path.write_text(json.dumps(document, indent=1))
    (only,) = lint([str(path)], Settings(deep=False), Selection((code,)))
    return only.place.pointer, path.read_text().splitlines()[only.place.line - 1].strip()


def test_a_bare_node_and_a_quoted_tag_have_places(tmp_path):
    node = triggered(tag("f("), triggers=["f"])
    written = ("/triggers/0", '"f"')
    assert place_of(node, tmp_path, "G005") == written
    assert place_of(whole(node), tmp_path, "G005") == ("/format" + written[0], written[1])
    quoted = {"structured_outputs": {"structural_tag": json.dumps(whole(node))}}
    pointer, line = place_of(quoted, tmp_path, "G005")
    assert pointer == "/structured_outputs/structural_tag"
    assert line.startswith('"structural_tag"')
