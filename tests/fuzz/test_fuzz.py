"""Hostile files give findings or a clean error: no traceback, no hang, no lost finding.

``STRUCTAG_FULL=1`` runs 10,000 of them.
"""

import os

import pytest

from structag_cli.formats.registry import grammar_for
from structag_cli.lint.subject import Settings
from tests.fuzz.running import command_trouble, lint_trouble, write_mutant

FULL = bool(os.environ.get("STRUCTAG_FULL"))
FILES = 10_000 if FULL else 400
BATCH = FILES // 10
COMMANDS = (
    ["build", "-p", "hermes", "-t"],
    ["build", "-p", "qwen3_coder", "-r"],
    ["explain", "-p", "hermes", "-r"],
    ["explain", "-d"],
    ["explain", "--jsonl"],
    ["show"],
    ["show", "--format", "examples"],
    ["show", "--format", "tree"],
    ["init", "-m", "Qwen/Qwen3-8B", "--into"],
    ["build", "--grammar"],
    ["lint", "--no-deep", "--config"],
)


@pytest.mark.parametrize("first", range(0, FILES, BATCH))
def test_lint_shallow(first, tmp_path):
    settings = [Settings(deep=False)]
    for parser in ("hermes", "qwen3_coder", "harmony"):
        settings.append(Settings(parser=parser, grammar=grammar_for(parser), deep=False))
    settings.append(Settings(deep=False, target="xgrammar==0.1.21"))
    troubles = []
    for number in range(first, first + BATCH):
        path = write_mutant(number, tmp_path)
        troubles.append(lint_trouble(path, settings[number % len(settings)]))
        path.unlink()
    assert [each for each in troubles if each] == []


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_commands_read(command, tmp_path):
    count = 500 if FULL else 15
    troubles = []
    for number in range(count):
        path = write_mutant(50_000 + number * 7, tmp_path)
        given = [*command, str(path)]
        if "--config" in command:
            given.append(str(path))
        if command == ["build", "--grammar"]:
            given += ["-t", "examples/weather.json"]
        troubles.append(command_trouble(given))
        path.unlink()
    assert [each for each in troubles if each] == []
