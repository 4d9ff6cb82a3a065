"""What must start fast imports nothing heavy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ("xgrammar", "torch", "transformers", "tokenizers", "numpy")
HEAVY = (*ENGINE, "jsonschema")
PROBE = f"""
import sys
from structag_cli.cli import main
try:
    main()
except SystemExit as stop:
    code = stop.code
heavy = [name for name in {HEAVY!r} if name in sys.modules]
print("HEAVY", code, heavy, file=sys.stderr)
"""
TAG = '{"type": "structural_tag", "format": {"type": "const_string", "value": "a"}}'
COMMANDS = [
    ["build", "-p", "hermes", "-t", "examples/weather.json", "-c", "required"],
    ["build", "-p", "hermes", "-t", "examples/responses.yaml", "-c", "required", "-f", "yaml"],
    ["build", "-p", "deepseek_v4", "-t", "examples/mcp.json", "-c", "none", "-f", "tree"],
    ["show", "-"],
    ["explain", "-p", "hermes", "-t", "examples/weather.json"],
    ["explain", "--jsonl", "/dev/null"],
    ["parsers"],
    ["parsers", "hermes"],
    ["grammar", "list"],
    ["tokenizers"],
    ["cache", "info"],
    ["grammar", "schema"],
    ["rule", "S101"],
    ["--version"],
    ["--help"],
    *([name, "--help"] for name in ("build", "show", "explain", "lint", "check", "mask")),
    ["generate", "--help"],
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_imports(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments],
        input=TAG,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    assert "HEAVY 0 []" in done.stderr.replace("None", "0")


def test_static_lint_needs_no_engine() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE, "lint", "--no-deep", "-p", "hermes", "examples"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    loaded = done.stderr.rpartition("HEAVY")[2]
    assert loaded, done.stderr
    assert not [name for name in ENGINE if f"'{name}'" in loaded]
