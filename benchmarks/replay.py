"""`structag explain --jsonl`: rows a second, and memory that does not grow."""

from __future__ import annotations

import itertools
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import run, structag
from benchmarks.table import Result

SAMPLE = Path(__file__).parent.parent / "tests" / "data" / "dynamo-1.3.1-sample.jsonl"
ROWS = 10_000


def results() -> Iterator[Result]:
    """Captured requests, repeated."""
    with tempfile.TemporaryDirectory() as folder:
        short, long = Path(folder, "short.jsonl"), Path(folder, "long.jsonl")
        _write(short, ROWS)
        _write(long, 10 * ROWS)
        small = run(structag("explain", "--jsonl", str(short)))
        large = run(structag("explain", "--jsonl", str(long)))
    rate = ROWS / small.seconds
    yield Result(
        what=f"`explain --jsonl` of {ROWS:,} rows, one core",
        ours=f"{small.seconds:.2f} s",
        peer="-",
        ratio=f"{rate:,.0f} rows/s",
        goal="at least 3,000 rows/s",
        holds=rate >= 3000,
    )
    growth = large.peak_mib / small.peak_mib
    yield Result(
        what=f"peak memory of {10 * ROWS:,} rows",
        ours=f"{large.peak_mib:.0f} MiB",
        peer=f"{ROWS:,} rows: {small.peak_mib:.0f} MiB",
        ratio=f"{growth:.2f}",
        goal="at most 1.05",
        holds=growth <= 1.05,
    )


def _write(path: Path, count: int) -> None:
    rows = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    lines = [json.dumps({k: row[k] for k in ("deployment", "request")}) for row in rows]
    with path.open("w", encoding="utf-8") as stream:
        for line in itertools.islice(itertools.cycle(lines), count):
            stream.write(line + "\n")
