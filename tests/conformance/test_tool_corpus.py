"""The right calls of the tool corpus, in each parser's syntax, against the strict tags.

Each row's calls are written with properties in the order of the schema, and as the corpus
has them; both are read back. A refusal must have an explanation: an unexplained one fails.
The whole corpus takes minutes, so every 12th row runs unless STRUCTAG_FULL is set; then the
counts must be those of the table in docs/conformance.md.
"""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from structag_cli.dialects import read_tools
from structag_cli.engine.text import TextGrammar, compile_text
from structag_cli.formats.model import Grammar
from structag_cli.pipeline import answer
from structag_cli.policy.settings import Deployment
from structag_cli.reader import Call, read_calls, render_calls
from structag_cli.reader.verdicts import judge_calls
from structag_cli.request import ToolChoice, ToolRequest
from structag_cli.sources import Document

pytestmark = pytest.mark.conformance

PARSERS = ("hermes", "qwen25", "qwen3_coder", "nemotron_nano", "deepseek_v3_2", "deepseek_v4")
ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "tests" / "data" / "tool-corpus-sample.jsonl"
TABLE = ROOT / "docs" / "conformance.md"
FULL = bool(os.environ.get("STRUCTAG_FULL"))

ACCEPTED = "accepted"
ORDER = "properties in another order"
CLOSED = "a property that xgrammar forbids"
UNEXPLAINED = "unexplained"


def declared(value: Any, schema: Any) -> Any:
    """A value with its properties in the order in which the schema declares them."""
    if isinstance(value, dict) and isinstance(schema, dict):
        known = schema.get("properties") or {}
        first = {key: declared(value[key], known[key]) for key in known if key in value}
        return first | {key: item for key, item in value.items() if key not in known}
    if isinstance(value, list) and isinstance(schema, dict):
        return [declared(item, schema.get("items")) for item in value]
    return value


def opened(schema: Any) -> Any:
    """The schema with every object open that xgrammar closes.

    It closes an object that has properties and does not mention ``additionalProperties``.
    """
    if isinstance(schema, list):
        return [opened(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: opened(item) for key, item in schema.items()}
    if isinstance(schema.get("properties"), dict):
        found.setdefault("additionalProperties", True)
    return found


class Case:
    """One row for one parser: its tags for ``auto`` and ``required``."""

    def __init__(self, row: dict[str, Any], parser: str) -> None:
        tools = read_tools(Document(row["tools"], row["id"]))
        self.parser = parser
        self.schemas = {tool.name: tool.parameters for tool in tools}
        self.sent = [Call(call["name"], call["arguments"]) for call in row["calls"]]
        self.ordered = [
            Call(call.name, declared(call.arguments, self.schemas[call.name])) for call in self.sent
        ]
        self.request = ToolRequest(tools, ToolChoice("required"))
        self.grammar, self.required = self._tag(self.request)
        _, self.auto = self._tag(replace(self.request, choice=ToolChoice("auto")))

    def _tag(self, request: ToolRequest) -> tuple[Grammar, TextGrammar]:
        result = answer(request, Deployment(self.parser, scope="always", schema="strict"))
        assert result.tag is not None
        assert result.grammar is not None
        return result.grammar, compile_text(result.tag.to_json())

    def outcome(self, calls: list[Call]) -> str:
        """Accepted, or why not."""
        text = render_calls(self.grammar, calls, schemas=self.schemas)
        self._read_back(text, calls)
        # `required` begins with the call; text, so the template's lead too, may precede in auto.
        required = self.required.check(text.removeprefix(self.grammar.lead)).accepted
        assert self.auto.check(text).accepted == required
        if required:
            return ACCEPTED
        if spelled(calls) != spelled(self.ordered):
            return ORDER
        tools = tuple(replace(t, parameters=opened(t.parameters)) for t in self.request.tools or ())
        _, open_tag = self._tag(replace(self.request, tools=tools))
        accepted = open_tag.check(text.removeprefix(self.grammar.lead)).accepted
        return CLOSED if accepted else UNEXPLAINED

    def _read_back(self, text: str, calls: list[Call]) -> None:
        reading = read_calls(self.grammar, text, tools=self.schemas)
        assert [Call(c.name, c.arguments or {}) for c in reading.calls] == calls
        assert all(verdict.valid for verdict in judge_calls(reading, self.request))


def spelled(calls: list[Call]) -> str:
    """The arguments with the order of their properties."""
    return json.dumps([call.arguments for call in calls])


def counts(rows: Iterable[dict[str, Any]], parser: str) -> tuple[Counter[str], Counter[str]]:
    """Outcomes of the rows: in the order of the schema, and as sent."""
    ordered: Counter[str] = Counter()
    sent: Counter[str] = Counter()
    for row in rows:
        case = Case(row, parser)
        found = case.outcome(case.ordered)
        assert found != UNEXPLAINED, row["id"]
        ordered[found] += 1
        sent[case.outcome(case.sent)] += 1
    return ordered, sent


def table_row(parser: str, ordered: Counter[str], sent: Counter[str]) -> str:
    cells = [ordered[ACCEPTED], ordered[CLOSED], sent[ACCEPTED], sent[ORDER], sent[CLOSED]]
    return f"| `{parser}` | {ordered.total()} | " + " | ".join(map(str, cells)) + " |"


@pytest.mark.parametrize("parser", PARSERS)
def test_right_calls_are_accepted_or_explained(shared: Path, parser: str) -> None:
    path = shared / "tool-corpus" / "bfcl.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    ordered, sent = counts(rows if FULL else rows[::12], parser)
    assert ordered[ACCEPTED] > 0.98 * ordered.total()
    line = table_row(parser, ordered, sent)
    if FULL:
        assert line in TABLE.read_text(encoding="utf-8").splitlines(), line


@pytest.mark.parametrize("parser", PARSERS)
def test_the_sample_in_the_repository(parser: str) -> None:
    rows = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 20
    counts(rows, parser)
