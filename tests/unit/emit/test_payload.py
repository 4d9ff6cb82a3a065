"""The request fields that carry a tag."""

from __future__ import annotations

import json

import pytest

from structag_cli.emit import payload
from structag_cli.emit.finding import find_tag

TAG = {"type": "structural_tag", "format": {"type": "const_string", "value": "é"}}
LEGACY = {
    "type": "structural_tag",
    "structures": [{"begin": "<f>", "schema": {"type": "integer"}, "end": "</f>"}],
    "triggers": ["<f"],
}
ENGINES = ("openai", "vllm", "sglang", "trtllm", "dynamo")


def test_fields() -> None:
    for engine in ("openai", "sglang", "trtllm"):
        assert payload(TAG, engine) == {"response_format": TAG}
    text = payload(TAG, "vllm")["structured_outputs"]["structural_tag"]
    assert json.loads(text) == TAG
    assert payload(TAG, "dynamo") == {
        "sampling_options": {"guided_decoding": {"structural_tag": TAG}}
    }


@pytest.mark.parametrize("engine", ENGINES)
def test_every_payload_is_found_again(engine: str) -> None:
    found = find_tag({"model": "m", **payload(TAG, engine)})
    assert found is not None
    assert found.tag == TAG
    assert found.quoted is (engine == "vllm")


def test_tensorrt_llm_gets_the_legacy_form_rewritten() -> None:
    sent = payload(LEGACY, "trtllm")["response_format"]
    assert set(sent) == {"type", "format"}
    assert sent["format"]["triggers"] == ["<f"]
    assert payload(LEGACY, "vllm") != payload(sent, "vllm")
    assert payload(LEGACY, "sglang") == {"response_format": LEGACY}


def test_unknown_engine() -> None:
    with pytest.raises(KeyError):
        payload(TAG, "ollama")
