"""Start-up: `structag build` against importing xgrammar."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import alternate, python, structag
from benchmarks.table import Result

TOOLS = Path(__file__).parent.parent / "examples" / "weather.json"


def results() -> Iterator[Result]:
    """Whole process, median of 10, on two tools."""
    build = structag("build", "--parser", "hermes", "--tools", str(TOOLS), "-c", "required")
    ours, peer = alternate(build, python("import xgrammar"), times=10)
    yield Result(
        what="`structag build` on two tools, whole process",
        ours=f"{ours:.2f} s",
        peer=f"`import xgrammar`: {peer:.2f} s",
        ratio=f"{ours / peer:.3f}",
        goal="at most 0.125",
        holds=ours / peer <= 0.125,
    )
