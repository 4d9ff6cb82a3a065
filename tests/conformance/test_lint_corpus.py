"""The deep rules on the tool corpus: every witness holds, asked of others than the rules asked.

The judge is a fresh `jsonschema` validator, the grammar one that is compiled from the schema
alone. Every 25th tool is linted unless STRUCTAG_FULL is set.
"""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from structag_cli.engine.text import compile_text
from structag_cli.formats.registry import grammar_for
from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings

pytestmark = pytest.mark.conformance

STYLES = {"hermes": "json", "qwen3_coder": "qwen_xml", "minimax_m2": "minimax_xml"}
EVERY = 1 if os.environ.get("STRUCTAG_FULL") else 25


def corpus_tools(shared: Path) -> list[dict[str, Any]]:
    """Tools of the corpus, one a name."""
    found: dict[str, dict[str, Any]] = {}
    with gzip.open(shared / "tool-corpus" / "bfcl.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            for tool in json.loads(line)["tools"]:
                found.setdefault(tool["function"]["name"], tool)
    return list(found.values())[::EVERY]


@pytest.mark.parametrize("parser", STYLES)
def test_every_witness_holds(shared: Path, tmp_path: Path, parser: str) -> None:
    tools = corpus_tools(shared)
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(tools), encoding="utf-8")
    grammar = grammar_for(parser)
    assert grammar is not None
    assert grammar.calls[0].style == STYLES[parser]
    settings = Settings(parser=parser, grammar=grammar, seconds=5.0)
    confirmed = 0
    for finding in lint([str(path)], settings, Selection(("S",))):
        witness = finding.witness
        if witness is None:
            continue
        schema = tools[int(finding.place.pointer.split("/")[1])]["function"]["parameters"]
        judge = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
        node: dict[str, Any] = {"type": "json_schema", "json_schema": schema}
        if STYLES[parser] != "json":
            node["style"] = STYLES[parser]
        compiled = compile_text({"type": "structural_tag", "format": node})
        what = (finding.code, schema, witness)
        assert judge.is_valid(witness.value) == witness.valid, what
        assert compiled.check(witness.text).accepted == witness.accepted, what
        assert witness.valid != witness.accepted, what
        assert finding.effect == ("forbids" if witness.valid else "drops")
        confirmed += 1
    assert confirmed > len(tools)
