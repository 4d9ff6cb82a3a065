"""What all tests share."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of the large corpora, beside the checkout or where the environment says."""
    folder = Path(os.environ.get("STRUCTAG_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"no corpora at {folder} (STRUCTAG_SHARED names their folder)")
    return folder


@dataclass(frozen=True)
class Ran:
    """A finished command."""

    code: int
    out: str
    err: str


Structag = Callable[..., Ran]


@pytest.fixture(scope="session")
def structag() -> Structag:
    """Runs the installed command in the repository's root, without a terminal."""
    command = Path(sys.executable).parent / "structag"
    if not command.exists():
        pytest.skip("structag is not installed in this environment (pip install -e .)")

    def run(*arguments: str, stdin: str | bytes = "", cwd: Path = ROOT) -> Ran:
        data = stdin.encode("utf-8", "surrogatepass") if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [command, *arguments],
            input=data,
            capture_output=True,
            cwd=cwd,
            timeout=300,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
