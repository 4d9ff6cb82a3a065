"""The right calls of the tool corpus, in each parser's syntax, against the strict tags.

A call that xgrammar refuses must have an explanation; an unexplained one fails. The
whole corpus takes minutes, so every 12th row runs unless STRUCTAG_FULL is set.
"""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from structag_cli.dialects import read_tools
from structag_cli.engine.text import compile_text
from structag_cli.pipeline import answer
from structag_cli.policy.settings import Deployment
from structag_cli.reader import Call, read_calls, render_calls
from structag_cli.reader.verdicts import judge_calls
from structag_cli.request import ToolChoice, ToolRequest
from structag_cli.sources import Document

pytestmark = pytest.mark.conformance

PARSERS = ("hermes", "qwen25", "qwen3_coder", "nemotron_nano", "deepseek_v3_2", "deepseek_v4")
SAMPLE = Path(__file__).parent.parent / "data" / "tool-corpus-sample.jsonl"


def whole_corpus(shared: Path) -> list[dict[str, Any]]:
    path = shared / "tool-corpus" / "bfcl.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return rows if os.environ.get("STRUCTAG_FULL") else rows[::12]


def declared(value: Any, schema: Any) -> Any:
    """A value with its properties in the order in which the schema declares them."""
    if isinstance(value, dict) and isinstance(schema, dict):
        known = schema.get("properties") or {}
        first = {key: declared(value[key], known[key]) for key in known if key in value}
        return first | {key: item for key, item in value.items() if key not in known}
    if isinstance(value, list) and isinstance(schema, dict):
        return [declared(item, schema.get("items")) for item in value]
    return value


def closed(value: Any, schema: Any) -> bool:
    """Whether xgrammar closes an object that the value goes beyond.

    An object schema with properties and without ``additionalProperties`` takes no others.
    """
    if isinstance(value, dict) and isinstance(schema, dict):
        known = schema.get("properties") or {}
        if schema.get("type") == "object" and set(value) - set(known):
            return "additionalProperties" not in schema
        return any(closed(item, known.get(key)) for key, item in value.items())
    if isinstance(value, list) and isinstance(schema, dict):
        return any(closed(item, schema.get("items")) for item in value)
    return False


def out_of_order(value: Any, schema: Any) -> bool:
    return json.dumps(value) != json.dumps(declared(value, schema))


def refusals(rows: list[dict[str, Any]], parser: str) -> Iterator[tuple[str, str]]:
    """Each refused row with its explanation, ``""`` for none."""
    for row in rows:
        tools = read_tools(Document(row["tools"], row["id"]))
        request = ToolRequest(tools, ToolChoice("required"))
        result = answer(request, Deployment(parser, schema="strict"))
        assert result.tag is not None
        assert result.grammar is not None
        grammar = compile_text(result.tag.to_json())
        schemas = {tool.name: tool.parameters for tool in tools}
        sent = [Call(c["name"], c["arguments"]) for c in row["calls"]]
        calls = [Call(c.name, declared(c.arguments, schemas[c.name])) for c in sent]
        text = render_calls(result.grammar, calls, schemas=schemas).removeprefix(
            result.grammar.lead
        )
        reading = read_calls(result.grammar, text, tools=schemas)
        assert [(c.name, c.arguments) for c in reading.calls] == [
            (c.name, c.arguments) for c in calls
        ]
        assert all(verdict.valid for verdict in judge_calls(reading, request))
        if not grammar.check(text).accepted:
            explained = any(closed(c.arguments, schemas[c.name]) for c in calls)
            yield row["id"], "an object that xgrammar closes" if explained else ""
        elif any(out_of_order(c.arguments, schemas[c.name]) for c in sent):
            as_sent = render_calls(result.grammar, sent, schemas=schemas)
            assert not grammar.check(as_sent.removeprefix(result.grammar.lead)).accepted
            yield row["id"], "properties in another order"


@pytest.mark.parametrize("parser", PARSERS)
def test_right_calls_are_accepted_or_explained(shared: Path, parser: str) -> None:
    rows = whole_corpus(shared)
    found = Counter(why for _, why in refusals(rows, parser))
    assert found[""] == 0
    assert sum(found.values()) < len(rows) / 50


@pytest.mark.parametrize("parser", PARSERS)
def test_the_sample_in_the_repository(parser: str) -> None:
    rows = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 20
    assert [id for id, why in refusals(rows, parser) if not why] == []
