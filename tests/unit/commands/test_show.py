"""``structag show``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from structag_cli.cli import make_app
from structag_cli.errors import InputError

NODE = {
    "type": "triggered_tags",
    "triggers": ["<f>"],
    "tags": [
        {
            "type": "tag",
            "begin": "<f>",
            "content": {"type": "json_schema", "json_schema": {"type": "integer"}},
            "end": "</f>",
        }
    ],
    "at_least_one": True,
}
TAG = {"type": "structural_tag", "format": NODE}


def show(*arguments: str, value: Any = TAG) -> Result:
    text = value if isinstance(value, str) else json.dumps(value)
    return CliRunner().invoke(make_app("show"), ["show", *arguments], input=text)


@pytest.fixture(autouse=True)
def stdin_of_the_runner(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The runner's stdin has no descriptor, so what reads it gets a file instead."""
    from structag_cli.sources import reading

    real = reading.open_input

    def opened(path: str) -> Any:
        import sys

        if path != "-":
            return real(path)
        copy = tmp_path / "stdin"
        copy.write_text(sys.stdin.read(), encoding="utf-8")
        return real(str(copy))

    monkeypatch.setattr(reading, "open_input", opened)


def test_the_tree_then_the_examples() -> None:
    out = show().stdout
    assert out.startswith("structural tag\n└── the tag below first")
    assert "\n\n--- accepted output 1\n<f>1</f>\n--- accepted output 2\n<f>1</f>\n<f>1</f>" in out
    assert out.endswith("\n")


def test_each_alone() -> None:
    assert "---" not in show("-f", "tree").stdout
    assert show("-f", "examples", "-n", "1").stdout == "--- accepted output 1\n<f>1</f>\n"
    assert "---" not in show("-n", "0").stdout
    assert json.loads(show("-f", "json").stdout) == TAG
    assert "type: structural_tag" in show("-f", "yaml").stdout
    assert "root ::=" in show("-f", "ebnf").stdout


def test_yaml_in_and_a_file_out(tmp_path: Path) -> None:
    source = tmp_path / "tag.yaml"
    source.write_text(show("-f", "yaml").stdout, encoding="utf-8")
    target = tmp_path / "out.txt"
    result = show(str(source), "-o", str(target))
    assert result.stdout == ""
    assert target.read_text(encoding="utf-8") == show().stdout


def test_no_tag_is_said() -> None:
    for form in ("text", "tree", "examples"):
        assert "no structural tag (null)" in show("-f", form, value=None).stdout
    assert show("-f", "json", value=None).stdout == "null\n"
    assert show("-f", "yaml", value={"structural_tag": None}).stdout == "null\n"


def test_a_faulty_tag_is_shown_and_then_refused() -> None:
    result = show(value={"type": "structural_tag", "format": {"type": "made_up"}})
    assert "!! unknown node type" in result.stdout
    assert isinstance(result.exception, InputError)
    assert "unknown node type 'made_up'" in str(result.exception)


def test_ebnf_of_a_faulty_tag_asks_no_engine() -> None:
    result = show("-f", "ebnf", value={"format": {"type": "made_up"}})
    assert result.stdout == ""
    assert "unknown node type 'made_up'" in str(result.exception)


def test_no_tag_in_the_file() -> None:
    result = show(value={"tools": []})
    assert isinstance(result.exception, InputError)
    assert "no structural tag in it, its fields are 'tools'" in str(result.exception)


def test_notes_and_odd_characters() -> None:
    node = {"type": "const_string", "value": "a\x1b[31m\nb"}
    assert "--- accepted output 1\na\\u001b[31m\nb\n" in show(value={"format": node}).stdout
    token = {"format": {"type": "token", "token": 7}}
    assert "--- note: no example: token 7" in show(value=token).stdout
    empty = {"format": {"type": "const_string", "value": ""}}
    assert "--- accepted output 1\n(empty)" in show(value=empty).stdout
