"""What must start fast imports nothing heavy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("xgrammar", "torch", "transformers", "tokenizers", "numpy", "jsonschema")
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
    ["--help"],
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
