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
from tests.fuzz.running import (
    LIMIT,
    command_trouble,
    deep_neighbour,
    lint_trouble,
    write_mutant,
)
from tests.fuzz.seeds import ROOT, seeds

FULL = bool(os.environ.get("STRUCTAG_FULL"))
FILES = 10_000 if FULL else 400
BATCH = FILES // 10
UNPROBED = ("tag", "legacy", "grammar", "deployment")
TOOLS = ("openai", "anthropic-list", "mcp")
REQUESTS = ("chat", "responses", "anthropic", "carrier", "request")
TAGS = ("tag", "legacy", "carrier")
DEPLOYMENTS = ("deployment", "script")
OUTPUT = "tests/fuzz/output.txt"
COMMANDS: tuple[tuple[list[str], tuple[str, ...]], ...] = (
    (["build", "-p", "hermes", "-t", "FILE"], TOOLS),
    (["build", "-p", "qwen3_coder", "-r", "FILE"], REQUESTS),
    (["build", "-t", "examples/weather.json", "--grammar", "FILE"], ("grammar",)),
    (["explain", "-p", "hermes", "-r", "FILE"], REQUESTS),
    (["explain", "-d", "FILE", "-t", "examples/weather.json"], DEPLOYMENTS),
    (["explain", "--jsonl", "FILE"], ("replay", "log")),
    (["show", "FILE"], TAGS),
    (["show", "--format", "examples", "FILE"], TAGS),
    (["show", "--format", "tree", "FILE"], TAGS),
    (["init", "-m", "Qwen/Qwen3-8B", "--into", "FILE"], DEPLOYMENTS),
    (["check", "-p", "hermes", "-t", "FILE", OUTPUT], TOOLS),
    (["check", "-p", "qwen3_coder", "-r", "FILE", OUTPUT], REQUESTS),
    (["lint", "--no-deep", "--config", "FILE", "examples/weather.json"], ("config",)),
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


@pytest.mark.parametrize(("command", "kinds"), COMMANDS, ids=[" ".join(c) for c, _ in COMMANDS])
def test_commands_read(command, kinds, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    count = 800 if FULL else 15
    troubles = []
    for number in range(count):
        path = write_mutant(50_000 + number, tmp_path, kinds)
        limit = 60.0 if "check" in command else LIMIT  # its compile is the engine's
        given = [str(path) if word == "FILE" else word for word in command]
        troubles.append(command_trouble(given, limit))
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
