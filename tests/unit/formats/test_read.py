"""Faulty grammar files: the error names line, pointer and mend."""

from __future__ import annotations

from pathlib import Path

import pytest

from structag_cli.errors import InputError
from structag_cli.formats.registry import read_grammar

GRAMMAR = """\
format: mine
title: "My model"
names: {dynamo: [mine]}
calls:
  - begin: ["<call>{name}:", {regex: "[0-9]+", example: "0"}, " "]
    style: json
    end: "</call>"
triggers: ["<call>"]
excludes: ["<think>"]
ban: {tokens: ["<call>"]}
profiles: {dynamo-1.3: {names: [mine]}}
prompt: "Tools: {tools}"
facts: []
examples:
  tools: [{name: f}]
  accept: []
  reject: []
  parse:
    - text: "<call>f:0 {}</call>"
      calls: [{name: f, arguments: {}}]
"""


def error(tmp_path: Path, text: str | bytes) -> InputError:
    path = tmp_path / "g.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        read_grammar(path)
    message = str(caught.value)
    assert "\n" not in message
    assert str(path) in message
    return caught.value


def test_the_sample_is_valid(tmp_path: Path) -> None:
    path = tmp_path / "g.yaml"
    path.write_text(GRAMMAR)
    assert read_grammar(path).format == "mine"


@pytest.mark.parametrize(
    ("old", "new", "line", "pointer", "says"),
    [
        ("triggers:", "trigers:", 8, "/trigers", "did you mean triggers"),
        ("    style:", "    stile:", 6, "/calls/0/stile", "did you mean style"),
        ("style: json", "style: jsn", 6, "/calls/0/style", "did you mean json"),
        ("{regex:", "{regx:", 5, "/calls/0/begin/1/regx", "did you mean regex"),
        ("{dynamo:", "{dynamoo:", 3, "/names/dynamoo", "unknown engine 'dynamoo'"),
        ("{dynamo: [mine]}", "{dynamo: mine}", 3, "/names/dynamo", "expected array"),
        ("{names: [mine]}", "{name: [mine]}", 11, "/profiles/dynamo-1.3/name", "names"),
        ("title: ", "# ", 1, "", "the field 'title' is missing"),
        ("format: mine", "format: My-1", 1, "/format", "matching regex"),
        ('end: "</call>"', "end: 3", 7, "/calls/0/end", "got int"),
        ('["<call>{name}:", ', "[", 5, "/calls/0/begin", "must start with a text"),
        ('end: "</call>"', "end: []", 7, "/calls/0/end", "must close with a text"),
        ("{name}:", "NAME:", 5, "/calls/0", "{name} is missing"),
        ('"[0-9]+"', '"("', 5, "/calls/0/begin/1/regex", "invalid regular expression"),
        ('example: "0"', 'example: "x"', 5, "/calls/0/begin/1/example", "does not match 'x'"),
        ('triggers: ["<call>"]', "triggers: ['<calls>']", 8, "/triggers/0", "starts no call"),
        ('triggers: ["<call>"]', "triggers: ['']", 8, "/triggers/0", "empty"),
        ('triggers: ["<call>"]', "triggers: ['<c', '<']", 5, "/calls/0/begin", "2 triggers"),
        ('["<think>"]', '["call"]', 9, "/excludes/0", "no call could be written"),
        ('["<think>"]', '[""]', 9, "/excludes/0", "forbids all text"),
        ('tokens: ["<call>"]', 'tokens: [""]', 10, "/ban/tokens/0", "empty"),
        ("names: [mine]}}", "names: [yours]}}", 11, "/profiles/dynamo-1.3/names/0", "'yours'"),
        ("{tools}", "none", 12, "/prompt", "{tools} is missing"),
        ("{name: f, arg", "{name: g, arg", 20, "/examples/parse/0/calls/0/name", "'g'"),
        ("facts: []", "facts: []\nfacts: []", 14, "", "stands twice"),
    ],
)
def test_names_line_pointer_and_mend(
    tmp_path: Path, old: str, new: str, line: int, pointer: str, says: str
) -> None:
    assert old in GRAMMAR
    found = error(tmp_path, GRAMMAR.replace(old, new, 1))
    assert found.place is not None
    assert (found.place.line, found.place.pointer) == (line, pointer)
    assert says in str(found)
    assert found.mend


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "got null"),
        ("[1]", "got array"),
        ("a: b: c", "invalid YAML"),
        ("a: [", "invalid YAML"),
        ("- " * 20_000, "nest"),
        ("[" * 20_000, "nest"),
        ("a: &x [*x]", "unknown field 'a'"),
        (b"a: 1\nb: \xff\n", "UTF-8"),
        ("a: " + "x" * 4_000_001, "too many"),
    ],
)
def test_refuses_what_is_no_grammar(tmp_path: Path, text: str | bytes, says: str) -> None:
    assert says in str(error(tmp_path, text))


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read: No such file"):
        read_grammar(tmp_path / "none.yaml")


def test_counts_further_faults(tmp_path: Path) -> None:
    text = GRAMMAR.replace("{tools}", "none").replace('["<think>"]', '[""]')
    assert "(and 1 more)" in str(error(tmp_path, text))
