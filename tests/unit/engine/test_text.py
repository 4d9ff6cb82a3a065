"""Acceptance to the byte, and native warnings that stay out of the terminal."""

from __future__ import annotations

import contextlib
import os

import pytest

from structag_cli.engine.native import captured_warnings, clean_message
from structag_cli.engine.text import compile_text, grammar_text, token_strings
from structag_cli.errors import EngineError


def tag(format_: object) -> dict[str, object]:
    return {"type": "structural_tag", "format": format_}


def schema(value: object) -> dict[str, object]:
    return tag({"type": "json_schema", "json_schema": value})


@pytest.mark.parametrize(
    ("text", "accepted", "prefix", "position"),
    [
        ("né", True, True, 3),
        ("n", False, True, 1),
        ("", False, True, 0),
        ("nó", False, False, 2),
        ("née", False, False, 3),
    ],
)
def test_acceptance(text: str, accepted: bool, prefix: bool, position: int) -> None:
    found = compile_text(tag({"type": "const_string", "value": "né"})).check(text)
    assert (found.accepted, found.prefix, found.position) == (accepted, prefix, position)


def test_native_warnings_are_kept_and_not_printed(capfd: pytest.CaptureFixture[str]) -> None:
    grammar = compile_text(schema({"allOf": [{"type": "object"}, {"type": "object"}]}))
    assert grammar.warnings == (
        "Warning: Support for allOf with multiple options is still ongoing",
    )
    assert capfd.readouterr().err == ""


def test_descriptor_two_is_restored(capfd: pytest.CaptureFixture[str]) -> None:
    caught: list[str] = []
    with contextlib.suppress(ValueError), captured_warnings(caught):
        os.write(2, b"inside\n")
        raise ValueError
    os.write(2, b"after\n")
    assert caught == ["inside"]
    assert capfd.readouterr().err == "after\n"


def test_a_refused_tag_is_one_clear_line() -> None:
    with pytest.raises(EngineError) as caught:
        compile_text(tag({"type": "tag"}))
    assert str(caught.value).startswith("xgrammar refuses the tag: Invalid structural tag")
    assert ".cc:" not in str(caught.value)


def test_messages_lose_clock_and_file() -> None:
    raw = "[12:01:41] /project/cpp/x.cc:13: Check failed: (a(b)) is false: Invalid: no"
    assert clean_message(raw) == "Invalid: no"


def test_bans_compile_without_a_tokenizer() -> None:
    ban = tag({"type": "any_tokens", "exclude_tokens": ["<tool_call>"]})
    assert list(token_strings(ban)) == ["<tool_call>"]
    assert compile_text(ban).check("hello").accepted
    assert "root ::=" in grammar_text(ban)
