"""Real tool lists and captured requests are read, quickly, to the same names and schemas."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path
from typing import Any

import pytest

from structag_cli.dialects import read_tool_request
from structag_cli.sources import Document, iter_jsonl

pytestmark = pytest.mark.conformance

ROWS_A_SECOND = 1_000
"""Well below what an idle machine does, so that a busy one does not fail."""


def in_responses(function: dict[str, Any]) -> dict[str, Any]:
    return {"type": "function", **function}


def in_schema_key(key: str, function: dict[str, Any]) -> dict[str, Any]:
    return {key if name == "parameters" else name: value for name, value in function.items()}


SHAPES = {
    "openai-chat": lambda function: {"type": "function", "function": function},
    "openai-responses": in_responses,
    "anthropic": lambda function: in_schema_key("input_schema", function),
    "mcp": lambda function: in_schema_key("inputSchema", function),
}


@pytest.fixture(scope="module")
def rows(shared: Path) -> list[tuple[int, Document]]:
    path = shared / "tool-corpus" / "bfcl.jsonl.gz"
    if not path.exists():
        pytest.skip(f"no corpus at {path}")
    with gzip.open(path) as stream:
        found = list(iter_jsonl(stream, path.name))  # type: ignore[arg-type]
    assert all(isinstance(row, Document) for _, row in found)
    return found  # type: ignore[return-value]


@pytest.mark.parametrize("dialect", SHAPES)
def test_every_tool_in_every_dialect(rows: list[tuple[int, Document]], dialect: str) -> None:
    for _, row in rows:
        functions = [tool["function"] for tool in row.value["tools"]]
        request = read_tool_request(Document([SHAPES[dialect](f) for f in functions], "x"))
        assert request.dialect == dialect
        assert [(t.name, t.description, t.parameters) for t in request.tools or ()] == [
            (f["name"], f.get("description"), f.get("parameters")) for f in functions
        ]


def test_places_of_real_tools(rows: list[tuple[int, Document]]) -> None:
    for number, row in rows[::20]:
        for index, tool in enumerate(read_tool_request(row).tools or ()):
            place = row.locate(tool.place.pointer)
            assert (place.line, row.text is None) == (number, False)
            assert place.column is not None
            found, _ = json.JSONDecoder().raw_decode(row.text or "", place.column - 1)
            assert found == row.value["tools"][index]["function"]


def test_reading_is_fast(rows: list[tuple[int, Document]]) -> None:
    start = time.perf_counter()
    for _, row in rows:
        read_tool_request(row)
    assert len(rows) / (time.perf_counter() - start) > ROWS_A_SECOND


@pytest.mark.parametrize("release", ["1.3.1", "1.6.1"])
def test_captured_requests(shared: Path, release: str) -> None:
    path = shared / "dynamo-conformance" / f"dynamo-{release}.jsonl.gz"
    if not path.exists():
        pytest.skip(f"no corpus at {path}")
    with gzip.open(path, "rt") as stream:
        for row in map(json.loads, stream):
            request = read_tool_request(Document({"messages": [], **row["request"]}, row["id"]))
            given = row["request"].get("tool_choice")
            assert request.choice.given is (given is not None)
            assert request.parallel_tool_calls is row["request"].get("parallel_tool_calls")
