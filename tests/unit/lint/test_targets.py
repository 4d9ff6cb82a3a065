"""What ``--target`` stands for."""

import json

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from structag_cli.errors import UsageError
from structag_cli.formats.registry import grammar_for
from structag_cli.lint.engine_pins import first_with, pin_of, pins
from structag_cli.lint.releases import _releases, known_releases, measured, status
from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings
from structag_cli.lint.targets import dynamo_release, split_target, xgrammar_target

GLM = {
    "type": "structural_tag",
    "format": {
        "type": "json_schema",
        "json_schema": {"type": "object", "properties": {"a": {"type": "string"}}},
        "style": "glm_xml",
    },
}


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("vllm==0.11.0", ("vllm", "0.11.0")),
        ("  vLLM == v0.11.0\n", ("vllm", "0.11.0")),
        ("SGLang==V0.5.4.post1", ("sglang", "0.5.4.post1")),
        ("tensorrt_llm==1.2.0rc6", ("tensorrt-llm", "1.2.0rc6")),
        ("trtllm==1.0", ("tensorrt-llm", "1.0")),
        ("ai-dynamo==1.3.1", ("dynamo", "1.3.1")),
        ("xgrammar==v0.1.26", ("xgrammar", "0.1.26")),
        ("vllm==0.11.0+cu128", ("vllm", "0.11.0+cu128")),
    ],
)
def test_targets_are_read_tolerantly(target, found):
    assert split_target(target) == found


@pytest.mark.parametrize(
    "target", ["vllm", "vllm==", "vllm>=0.11", "vllm==latest", "lmdeploy==0.1", "==1", "a b==1"]
)
def test_other_targets_are_told_what_there_is(target):
    with pytest.raises(UsageError, match="unknown target") as caught:
        split_target(target)
    assert "vllm" in caught.value.mend


def test_dynamo_needs_a_minor_release():
    assert dynamo_release("Dynamo == v1.6.1") == (1, 6)
    assert dynamo_release("vllm==0.11.0") is None
    with pytest.raises(UsageError, match="unknown target"):
        dynamo_release("dynamo==1")


@pytest.mark.parametrize(
    ("target", "release", "words"),
    [
        ("xgrammar==0.1.26", "0.1.26", "xgrammar 0.1.26"),
        ("vllm==0.11.0", "0.1.25", "vllm 0.11.0, which pins xgrammar 0.1.25,"),
        ("vllm==0.11", "0.1.25", "vllm 0.11, which pins xgrammar 0.1.25,"),
        ("vllm==0.11.0+cu128", "0.1.25", "vllm 0.11.0, which pins xgrammar 0.1.25,"),
        ("vllm==0.18.0", "0.1.32", "vllm 0.18.0, whose xgrammar may be as old as 0.1.32,"),
        ("vllm==0.31.0", "0.2.7", "vllm 0.31.0, which pins xgrammar 0.2.7,"),
        ("sglang==0.5.2", "0.1.24", "sglang 0.5.2, which pins xgrammar 0.1.24,"),
        (
            "sglang==0.5.6rc1",
            "0.1.27",
            "sglang 0.5.6 (for 0.5.6rc1), which pins xgrammar 0.1.27,",
        ),
    ],
)
def test_an_engine_stands_for_its_xgrammar(target, release, words):
    found = xgrammar_target(target)
    assert (found.release, found.words) == (release, words)


@pytest.mark.parametrize(
    ("target", "message", "mend"),
    [
        ("vllm==0.10.9", "nothing is known of vllm 0.10.9", "0.10.2 and 0.11.0"),
        ("vllm==0.11.0.post1", "nothing is known of vllm 0.11.0.post1", "0.11.0 and 0.11.1"),
        ("vllm==0.1", "nothing is known of vllm 0.1", "nearest known: 0.6.0"),
        ("vllm==99.0", "nothing is known of vllm 99.0", "xgrammar==X"),
        ("vllm==0.6.0", "vllm 0.6.0 needs no xgrammar", "from 0.6.5"),
        ("vllm==0.7.0", "needs xgrammar>=0.1.6, and nothing is known", "xgrammar==X"),
        ("vllm==0.9.2", "needs xgrammar==0.1.19, and nothing is known", "xgrammar==X"),
        ("vllm==0.x", "'0.x' is no release of vllm", "such as"),
        ("tensorrt-llm==1.0.0", "packages of tensorrt-llm do not say", "xgrammar==X"),
        ("xgrammar==0.1.10", "nothing is known of xgrammar 0.1.10", "from 0.1.20"),
    ],
)
def test_what_cannot_be_told_is_said(target, message, mend):
    with pytest.raises(UsageError) as caught:
        xgrammar_target(target)
    assert message in caught.value.message
    assert mend in caught.value.mend


def test_every_release_with_a_measured_xgrammar_can_be_asked_for():
    for engine in ("vllm", "sglang"):
        asked = [release for release, needs in pins(engine).items() if _measured(needs)]
        assert len(asked) > 30
        for release in asked:
            assert xgrammar_target(f"{engine}=={release}").release in known_releases()


def _measured(needs):
    first = Version(known_releases()[0])
    lower = [s for s in Requirement(needs or "x").specifier if s.operator in ("==", ">=")]
    return any(Version(each.version) >= first for each in lower)


def test_the_oldest_of_a_range_is_the_weakest():
    """A range is judged by its oldest release: no feature that works stops working later."""
    for feature in _releases()["features"]:
        states = [status(feature, release) for release in known_releases()]
        first = states.index("works") if "works" in states else len(states)
        assert set(states[first:]) <= {"works"}, feature


def test_ranges_and_pins():
    pinned, ranged = pin_of("vllm", "0.11.0"), pin_of("vllm", "0.23.0")
    assert (pinned.oldest, pinned.exact) == ("0.1.25", True)
    assert (ranged.oldest, ranged.exact) == ("0.2.0", False)
    assert measured("0.2.5") == "0.2.4"


def test_the_first_release_that_brings_an_xgrammar():
    assert first_with("vllm", "0.1.33") == "0.21.0"
    assert first_with("sglang", "0.1.25") == "0.5.3.post1"
    assert first_with("sglang", "99.0") is None


@pytest.mark.parametrize(
    ("target", "code", "message", "mend"),
    [
        (
            "vllm==0.11.0",
            "C002",
            "vllm 0.11.0, which pins xgrammar 0.1.25, silently ignores json_schema:glm_xml",
            "it works from xgrammar 0.1.33 (vllm 0.21.0) on",
        ),
        (
            "vllm==0.20.0",
            "C001",
            "vllm 0.20.0, whose xgrammar may be as old as 0.1.32, refuses json_schema:glm_xml",
            "it works from xgrammar 0.1.33 (vllm 0.21.0) on",
        ),
        (
            "xgrammar==0.1.25",
            "C002",
            "xgrammar 0.1.25 silently ignores json_schema:glm_xml",
            "it works from xgrammar 0.1.33 on",
        ),
    ],
)
def test_findings_name_engine_and_xgrammar(target, code, message, mend, tmp_path):
    (found,) = _findings(tmp_path, target)
    assert (found.code, found.message, found.mend) == (code, message, mend)


def test_a_release_that_can_has_no_findings(tmp_path):
    assert _findings(tmp_path, "vllm==0.34.0") == []
    assert _findings(tmp_path, "dynamo==1.3.1") == []


def _findings(folder, target):
    path = folder / "tag.json"
    path.write_text(json.dumps(GLM), "utf-8")
    return list(lint([str(path)], Settings(deep=False, target=target), Selection(select=("C",))))


@pytest.mark.parametrize(
    ("target", "severity"),
    [
        (None, "warning"),
        ("dynamo==1.3.1", "warning"),
        ("dynamo==1.6.1", "error"),
        ("dynamo==2.0", "error"),
        ("vllm==0.11.0", "warning"),
    ],
)
def test_dynamo_refuses_tools_outside_of_the_strict_subset(target, severity, tmp_path):
    parameters = {"type": "object", "properties": {}}
    path = tmp_path / "tools.json"
    path.write_text(json.dumps([{"name": "f", "strict": True, "parameters": parameters}]))
    settings = Settings(deep=False, target=target)
    (found,) = lint([str(path)], settings, Selection(select=("T012",)))
    assert found.severity.word == severity
    assert ("answers 400" in found.message) == (severity == "error")


LOOKING = {"type": "object", "properties": {"a~b": {"type": "string", "pattern": "^(?=x).*$"}}}
TOOLS = [{"name": "f", "description": "d", "parameters": LOOKING}]


@pytest.mark.parametrize(
    ("document", "pointer"),
    [
        (TOOLS, "/0/parameters/properties/a~0b/pattern"),
        (
            {
                "type": "structural_tag",
                "format": {"type": "json_schema", "json_schema": LOOKING},
            },
            "/format/json_schema/properties/a~0b/pattern",
        ),
    ],
)
def test_a_lookahead_is_refused_by_releases_before_0_2_6(document, pointer, tmp_path):
    path = tmp_path / "it.json"
    path.write_text(json.dumps(document))
    chosen = Selection(select=("C",))
    (found,) = lint([str(path)], Settings(deep=False, target="xgrammar==0.2.4"), chosen)
    assert (found.code, found.place.pointer) == ("C001", pointer)
    assert "and is ignored" in found.mend
    assert not list(lint([str(path)], Settings(deep=False, target="xgrammar==0.2.6"), chosen))


@pytest.mark.parametrize(
    ("parser", "target", "code"),
    [
        ("deepseek_v4", "xgrammar==0.1.24", "C001"),
        ("deepseek_v4", "xgrammar==0.1.25", "C002"),
        ("hermes", "xgrammar==0.1.25", None),
        ("deepseek_v4", "xgrammar==0.2.9", None),
    ],
)
def test_tools_are_judged_by_the_tag_that_their_parser_gets(parser, target, code, tmp_path):
    path = tmp_path / "tools.json"
    plain = {"type": "object", "properties": {"a": {"type": "string"}}}
    path.write_text(json.dumps([{"name": "f", "description": "d", "parameters": plain}]))
    settings = Settings(parser, grammar_for(parser), deep=False, target=target)
    found = list(lint([str(path)], settings, Selection(select=("C",))))
    codes = {each.code for each in found}
    assert code in codes if code else not codes
    assert all(f"the tag of {parser} has" in each.message for each in found)
