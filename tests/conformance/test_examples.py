"""Every example output is accepted by xgrammar, for real tools and captured tags."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from structag_cli.emit.examples import example_outputs
from structag_cli.engine.text import compile_text
from structag_cli.errors import EngineError
from structag_cli.formats.model import Grammar
from structag_cli.formats.registry import grammars
from structag_cli.pipeline import answer
from structag_cli.place import Place
from structag_cli.policy.settings import Deployment
from structag_cli.request import Tool, ToolChoice, ToolRequest

pytestmark = pytest.mark.conformance

EVERY = 150
"""One row of so many is taken from the tool corpus."""

TAGGED = [grammar for grammar in grammars() if grammar.triggers]
CHOICES = ("auto", "none", "required", "named")


def rows(path: Path, every: int) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number % every == 0:
                yield json.loads(line)


def check(tag: dict[str, Any], count: int = 4) -> str:
    """One word on the examples of a tag; fails where one is refused."""
    try:
        compiled = compile_text(tag)
    except EngineError:
        return "refused"
    found = example_outputs(tag, count)
    assert len(set(found.texts)) == len(found.texts) <= count
    for text in found.texts:
        acceptance = compiled.check(text)
        assert acceptance.accepted, (text, acceptance, json.dumps(tag))
    assert found.texts or found.notes
    return "shown" if found.texts else "none"


def tools_of(row: dict[str, Any], strict: bool) -> tuple[Tool, ...]:
    return tuple(
        Tool(f["name"], None, f.get("parameters"), strict, Place("-"))
        for f in (tool["function"] for tool in row["tools"])
    )


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("grammar", TAGGED, ids=lambda g: g.format)
def test_tool_corpus(shared: Path, grammar: Grammar, choice: str) -> None:
    words: Counter[str] = Counter()
    deployment = Deployment(
        parser=grammar.format,
        enabled=True,
        scope="always",
        schema="strict",
        exclude_tools_on_none=False,
    )
    for number, row in enumerate(rows(shared / "tool-corpus" / "bfcl.jsonl.gz", EVERY)):
        tools = tools_of(row, strict=True)
        named = tools[0].name if choice == "named" else None
        request = ToolRequest(
            tools,
            ToolChoice(choice, named),  # type: ignore[arg-type]
            parallel_tool_calls=number % 2 == 0,
        )
        tag = answer(request, deployment, grammar).tag
        if tag is not None:
            words[check(tag.to_json())] += 1
    assert words["shown"] >= 0.95 * (words.total() - words["refused"]), words


@pytest.mark.parametrize("release", ["1.3.1", "1.6.1"])
def test_captured_tags(shared: Path, release: str) -> None:
    words: Counter[str] = Counter()
    seen: set[str] = set()
    for row in rows(shared / "dynamo-conformance" / f"dynamo-{release}.jsonl.gz", 1):
        tag = row["expect"].get("structural_tag")
        text = json.dumps(tag)
        if tag is None or text in seen:
            continue
        seen.add(text)
        words[check(tag)] += 1
    assert words["shown"] > 100
    assert words["none"] == 0
