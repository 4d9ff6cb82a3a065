"""The committed command reference is the commands' own help."""

from __future__ import annotations

import command_reference


def test_is_current() -> None:
    committed = command_reference.TARGET.read_text(encoding="utf-8")
    assert committed == command_reference.reference(), "run scripts/command_reference.py"


def test_names_every_command() -> None:
    text = command_reference.reference()
    for name in ("build", "show", "explain", "parsers", "grammar schema", "cache info"):
        assert f"## `structag {name}`\n" in text
