"""Tags are found in whatever carries them, and their faults have a place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from structag_cli.emit.anatomy import faults
from structag_cli.emit.finding import find_tag, tag_of
from structag_cli.errors import InputError
from structag_cli.sources.json_source import parse_json

NODE = {"type": "const_string", "value": "a"}
TAG = {"type": "structural_tag", "format": NODE}
LEGACY = {"structures": [{"begin": "<f>", "schema": {}, "end": "</f>"}], "triggers": ["<f"]}


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        (TAG, ""),
        ({"format": NODE}, ""),
        ({"response_format": TAG}, "/response_format"),
        ({"structural_tag": TAG, "outcome": "structural_tag"}, "/structural_tag"),
        (
            {"structured_outputs": {"structural_tag": json.dumps(TAG)}},
            "/structured_outputs/structural_tag",
        ),
        (
            {"sampling_params": {"structural_tag": json.dumps(TAG)}},
            "/sampling_params/structural_tag",
        ),
        (
            {"sampling_options": {"guided_decoding": {"structural_tag": TAG}}},
            "/sampling_options/guided_decoding/structural_tag",
        ),
        (
            {"response_format": {"type": "structural_tag", "structural_tag": TAG}},
            "/response_format/structural_tag",
        ),
        ({"method": "POST", "body": {"response_format": TAG}}, "/body/response_format"),
        ({"extra_body": {"response_format": TAG}}, "/extra_body/response_format"),
        (json.dumps(TAG), ""),
    ],
    ids=str,
)
def test_found(value: Any, pointer: str) -> None:
    found = find_tag(value)
    assert found is not None
    assert found.tag is not None
    assert found.tag["format"] == NODE
    assert found.pointer == pointer


def test_a_bare_node_and_the_legacy_form() -> None:
    bare = find_tag(NODE)
    assert bare is not None
    assert bare.tag == TAG
    legacy = find_tag({"response_format": LEGACY})
    assert legacy is not None
    assert legacy.tag == LEGACY


@pytest.mark.parametrize(
    "value", [None, {"structural_tag": None}, {"expect": {"structural_tag": None}}]
)
def test_said_to_be_none(value: Any) -> None:
    found = find_tag(value)
    assert found is not None
    assert found.tag is None


@pytest.mark.parametrize(
    "value",
    [
        [],
        3,
        "text",
        "{broken",
        {},
        {"type": "object"},
        {"response_format": {"type": "json_schema", "json_schema": {}}},
        {"tools": [], "messages": []},
        {"type": "const_string"},
        {"type": "json_schema", "json_schema": {"name": "a", "schema": {}}},
    ],
    ids=str,
)
def test_not_a_tag(value: Any) -> None:
    document = parse_json(json.dumps(value), "tag.json")
    with pytest.raises(InputError) as caught:
        tag_of(document)
    assert str(caught.value).startswith("tag.json:1:1: ")
    assert "a tag is" in caught.value.mend


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"type": "structural_tag",\n "format": {"type": "triggerd_tags"}}',
            "-:2:12 (at /format): xgrammar refuses the tag: unknown node type 'triggerd_tags' "
            "(did you mean triggered_tags or token_triggered_tags?)",
        ),
        (
            '{"response_format": {"format": {"type": "or", "elements": [{}]}}}',
            "-:1:60 (at /response_format/format/elements/0): xgrammar refuses the tag: "
            "a node without `type` (give it one: const_string, json_schema, any_text, tag, ...)",
        ),
        (
            '{"type": "structural_tag"}',
            "-:1:1 (at /format): xgrammar refuses the tag: a node must be an object with a `type`",
        ),
        (
            '{"type": "any_text", "excludes": "a"}',
            "-:1:34 (at /excludes): xgrammar refuses the tag: `excludes` of any_text must be "
            "a list of strings",
        ),
        (
            '{"triggers": ["a"], "structures": [{"begin": "a", "schema": 3, "end": ""}]}',
            "-:1:61 (at /structures/0/schema): xgrammar refuses the tag: `json_schema` of "
            "json_schema must be a JSON Schema",
        ),
        (
            '{"triggers": ["a"], "structures": [{"begin": "a"}]}',
            "-:1:36 (at /structures/0): xgrammar refuses the tag: tag without `end`",
        ),
        (
            json.dumps({"structural_tag": json.dumps({"format": {"type": "x"}})}),
            "-:1:20 (at /structural_tag): xgrammar refuses the tag: unknown node type 'x', "
            "at /format inside this string (xgrammar 0.2.9 has no such node)",
        ),
    ],
    ids=range(7),
)
def test_faults_have_a_place_and_a_mend(text: str, message: str) -> None:
    document = parse_json(text, "-")
    error = tag_of(document).fault_error(document)
    assert str(error) == message


def test_several_faults_are_counted() -> None:
    node = {"type": "or", "elements": [{"type": "x"}, {"type": "y"}, 3]}
    found = list(faults({"format": node}))
    assert [fault.pointer for fault in found] == [f"/format/elements/{n}" for n in range(3)]
    document = parse_json(json.dumps({"format": node}), "-")
    assert "; and 2 more" in str(tag_of(document).fault_error(document))


def test_a_right_tag_has_no_fault() -> None:
    document = parse_json(json.dumps(TAG), "-")
    assert tag_of(document).fault_error(document) is None
