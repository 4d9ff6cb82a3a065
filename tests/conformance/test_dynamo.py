"""Every decision equals what a real Dynamo 1.3.1 sent to its engine."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from structag_cli.replay import replay_value
from structag_cli.sources import Document

pytestmark = pytest.mark.conformance

SAMPLE = Path(__file__).parent.parent / "data" / "dynamo-1.3.1-sample.jsonl"


def differs(row: dict[str, Any]) -> str | None:
    """How the answer to a captured row differs from the capture, if it does."""
    document = Document({"deployment": row["deployment"], "request": row["request"]}, row["id"])
    got = replay_value(document, "dynamo-1.3")
    ((outcome, expected),) = row["expect"].items()
    if got["outcome"] != outcome:
        return f"{row['id']}: {got['outcome']} instead of {outcome}"
    if outcome != "unconstrained" and got[outcome] != expected:
        return f"{row['id']}: {got[outcome]!r} instead of {expected!r}"
    return None


def corpus(shared: Path, release: str) -> Iterator[dict[str, Any]]:
    folder = shared / "dynamo-conformance"
    tools = json.loads((folder / "toolsets.json").read_text())
    with gzip.open(folder / f"dynamo-{release}.jsonl.gz", "rt") as lines:
        for row in map(json.loads, lines):
            if row["toolset"] != "no_tools":
                row["request"]["tools"] = tools[row["toolset"]]
            yield row


def test_the_sample_in_the_repository() -> None:
    rows = [json.loads(line) for line in SAMPLE.read_text().splitlines()]
    assert len(rows) >= 150
    assert {key for row in rows for key in row["expect"]} == {
        "structural_tag",
        "guided_json",
        "unconstrained",
        "error",
    }
    assert [d for row in rows if (d := differs(row))] == []


def test_the_whole_corpus(shared: Path) -> None:
    rows = list(corpus(shared, "1.3.1"))
    assert len(rows) == 3596
    assert [d for row in rows if (d := differs(row))] == []
