"""Hostile files give findings or a clean error: no traceback, no hang, no lost finding.

``STRUCTAG_FULL=1`` runs 10,000 of them.
"""

import json
import os
import time

import pytest

from structag_cli.formats.registry import grammar_for
from structag_cli.lint.deep.pool import GRACE
from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings
from tests.fuzz.running import command_trouble, deep_neighbour, lint_trouble, write_mutant
from tests.fuzz.seeds import seeds

FULL = bool(os.environ.get("STRUCTAG_FULL"))
FILES = 10_000 if FULL else 400
BATCH = FILES // 10
UNPROBED = ("tag", "legacy", "grammar", "deployment")
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
            given.append(str(path))  # the file is linted, too
        if command == ["build", "--grammar"]:
            given += ["-t", "examples/weather.json"]
        troubles.append(command_trouble(given))
        path.unlink()
    assert [each for each in troubles if each] == []


@pytest.mark.parametrize("parser", [None, "qwen3_coder", "gemma4"])
def test_lint_deep(parser, tmp_path):
    """All files in one run: whatever becomes of the child process, no neighbour loses by it."""
    count = 1000 if FULL else 12
    tools = [n for n, seed in enumerate(seeds()) if seed.is_json and seed.kind not in UNPROBED]
    paths = []
    for number in range(count):
        own = tools[number % len(tools)] + len(seeds()) * (number // len(tools))
        neighbour = tmp_path / f"n{number}.json"
        neighbour.write_text(json.dumps(deep_neighbour(number)))
        paths += [str(write_mutant(own, tmp_path)), str(neighbour)]
    grammar = parser and grammar_for(parser)
    settings = Settings(parser=parser, grammar=grammar, seconds=0.3)
    start = time.monotonic()
    found = list(lint(paths, settings, Selection()))
    assert [f.message for f in found if f.code == "E004"] == []
    wanted = {"S101"} if parser is None else {"T002"}
    for path in paths[1::2]:
        assert wanted <= {f.code for f in found if f.place.file == path}
    assert time.monotonic() - start < 60 + count * (0.3 + GRACE)
