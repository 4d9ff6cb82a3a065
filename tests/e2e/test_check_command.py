"""``structag check`` on several outputs, some of which cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

TOOLS = [
    {
        "name": "weather",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    }
]
GOOD = '<tool_call>\n{"name": "weather", "arguments": {"city": "Zürich"}}\n</tool_call>'


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS))
    (tmp_path / "good.txt").write_text(GOOD, encoding="utf-8")
    (tmp_path / "latin.txt").write_bytes(b"Z\xfcrich")
    log = [json.dumps(GOOD), "{", "7", json.dumps({"output": GOOD})]
    (tmp_path / "log.jsonl").write_text("\n".join(log))
    return tmp_path


def check(structag, folder, *arguments: str):
    return structag("check", "-p", "hermes", "--tools", "tools.json", *arguments, cwd=folder)


@pytest.mark.parametrize("bad", ["missing.txt", "missing.jsonl", "latin.txt", "."])
@pytest.mark.parametrize("to_file", [False, True])
def test_what_cannot_be_read_costs_no_other(structag, folder, bad, to_file) -> None:
    names = ("good.txt", bad, "good.txt")
    option = ("-o", "verdicts.json") if to_file else ()
    ran = check(structag, folder, *names, "-f", "json", *option)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert ran.err.startswith(f"error: {bad}")
    value = json.loads((folder / "verdicts.json").read_text() if to_file else ran.out)
    assert [each["name"] for each in value["outputs"]] == list(names)
    assert [each.get("passed") for each in value["outputs"]] == [True, None, True]
    assert value["outputs"][1]["error"] in ran.err
    assert value["summary"]["not read"] == 1
    ran = check(structag, folder, *names)
    assert ran.code == 2
    assert f"\n{bad}: not read\n  error     {bad}" in ran.out
    assert f"\n{bad}: not read" in "\n" + check(structag, folder, *names, "--quiet").out


def test_lines_of_a_log_that_cannot_be_read(structag, folder) -> None:
    ran = check(structag, folder, "log.jsonl", "-f", "json")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "2 outputs cannot be read, the first: log.jsonl:2:2" in ran.err
    outputs = json.loads(ran.out)["outputs"]
    assert ["error" in each for each in outputs] == [False, True, True, False]
    assert "a line without an output" in outputs[2]["error"]


@pytest.mark.parametrize("format", ["text", "json"])
def test_one_output_that_cannot_be_read_is_one_error(structag, folder, format) -> None:
    ran = check(structag, folder, "missing.txt", "-f", format)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)


def test_letters_are_shown_as_they_are(structag, folder) -> None:
    assert 'weather({"city": "Zürich"})' in check(structag, folder, "good.txt").out
