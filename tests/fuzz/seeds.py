"""One or more sound files of every kind that structag reads: what the fuzzer starts from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "minLength": 1, "maxLength": 40, "pattern": "^[A-Z][a-z]+$"},
        "unit": {"enum": ["c", "f"]},
        "days": {"type": "integer", "minimum": 1, "maximum": 14},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3},
        "at": {"anyOf": [{"$ref": "#/$defs/point"}, {"type": "null"}]},
        "day": {"type": "string", "format": "date"},
        "scale": {"type": "number", "multipleOf": 0.5, "exclusiveMaximum": 10},
    },
    "required": ["city"],
    "additionalProperties": False,
    "patternProperties": {"^x-": {"type": "string"}},
    "$defs": {"point": {"allOf": [{"type": "object", "properties": {"x": {"type": "number"}}}]}},
}
OPEN_AI = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather.",
        "parameters": SCHEMA,
        "strict": True,
    },
}
RESPONSES = {"type": "function", "name": "get_weather", "description": "W.", "parameters": SCHEMA}
ANTHROPIC = {"name": "get_weather", "description": "The weather.", "input_schema": SCHEMA}
MCP = {"jsonrpc": "2.0", "id": 1, "result": {"tools": [{**ANTHROPIC, "inputSchema": SCHEMA}]}}
CHAT = {
    "model": "m",
    "messages": [
        {"role": "user", "content": "Hi"},
        {
            "role": "assistant",
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "get_weather", "arguments": '{"city": "Rome"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "ok"},
    ],
    "tools": [OPEN_AI],
    "tool_choice": {"type": "function", "function": {"name": "get_weather"}},
    "parallel_tool_calls": False,
    "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": SCHEMA}},
}
_INNER = {
    "type": "tag",
    "begin": "<call>",
    "content": {"type": "json_schema", "json_schema": SCHEMA},
    "end": "</call>",
}
TAG = {
    "type": "structural_tag",
    "format": {
        "type": "sequence",
        "elements": [
            {
                "type": "triggered_tags",
                "triggers": ["<call>"],
                "tags": [_INNER],
                "at_least_one": True,
                "stop_after_first": False,
                "excludes": ["</think>"],
            },
            {"type": "tags_with_separator", "tags": [_INNER], "separator": "\n"},
            {
                "type": "or",
                "elements": [{"type": "any_text"}, {"type": "const_string", "value": "x"}],
            },
            {"type": "regex", "pattern": "[a-z]+"},
            {"type": "grammar", "grammar": 'root ::= "a" root | "b"'},
        ],
    },
}
LEGACY = {
    "type": "structural_tag",
    "structures": [{"begin": "<f>", "schema": SCHEMA, "end": "</f>"}],
    "triggers": ["<f"],
}
CARRIER = {**CHAT, "structural_tag": TAG, "response_format": TAG}
SCRIPT = """#!/bin/bash
export DYN_ENABLE_STRUCTURAL_TAG=1
python3 -m dynamo.sglang --model-path Qwen/Qwen3-8B --dyn-tool-call-parser qwen3_coder \\
  --dyn-structural-tag-scope always "$EXTRA" &
vllm serve m --tool-call-parser hermes --enable-auto-tool-choice
"""
CONFIG = """parser = "hermes"
select = ["T", "F"]
severity = "info"
deep = false
[per-file-ignores]
"*.json" = ["T013"]
"""


@dataclass(frozen=True, slots=True)
class Seed:
    """A sound file: what it is, its suffix, its text."""

    kind: str
    suffix: str
    text: str

    @property
    def is_json(self) -> bool:
        """Whether the text is one JSON value."""
        return self.suffix == ".json"


@cache
def seeds() -> tuple[Seed, ...]:
    """All seeds, in a fixed order."""
    values: dict[str, Any] = {
        "openai": [OPEN_AI],
        "responses": {"model": "m", "input": "Hi", "tools": [RESPONSES]},
        "anthropic": {"model": "m", "messages": [], "tools": [ANTHROPIC]},
        "anthropic-list": [ANTHROPIC],
        "mcp": MCP,
        "chat": CHAT,
        "tag": TAG,
        "legacy": LEGACY,
        "carrier": CARRIER,
        "holder": [{"request": CHAT}],
        "schema": {"$schema": "https://json-schema.org/draft/2020-12/schema", **SCHEMA},
    }
    found = [Seed(kind, ".json", json.dumps(value)) for kind, value in values.items()]
    for path in sorted((ROOT / "grammars").glob("*.yaml"))[::4]:
        found.append(Seed("grammar", ".yaml", path.read_text(encoding="utf-8")))
        found.append(Seed("grammar", ".json", json.dumps(_from_yaml(path))))
    for path in sorted((ROOT / "tests/data/deployments").glob("*.yaml")):
        found.append(Seed("deployment", ".yaml", path.read_text(encoding="utf-8")))
        found.append(Seed("deployment", ".json", json.dumps(_from_yaml(path))))
    found.append(Seed("script", ".sh", SCRIPT))
    log = (ROOT / "tests/data/dynamo-1.3.1-sample.jsonl").read_text(encoding="utf-8")
    found.append(Seed("log", ".jsonl", "\n".join(log.splitlines()[:3]) + "\n"))
    found.append(Seed("log", ".jsonl", f"{json.dumps(CHAT)}\n{json.dumps([OPEN_AI])}\n"))
    found.append(Seed("config", ".toml", CONFIG))
    replay = (ROOT / "tests/data/dynamo-1.3.1-sample.jsonl").read_text(encoding="utf-8")
    found.append(Seed("replay", ".jsonl", "\n".join(replay.splitlines()[:40:10]) + "\n"))
    found.append(Seed("request", ".yaml", (ROOT / "examples/responses.yaml").read_text()))
    return tuple(found)


def _from_yaml(path: Path) -> Any:
    from structag_cli.sources import read_document

    return read_document(str(path)).value
