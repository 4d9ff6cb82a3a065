"""Which tool-call parser a model's name asks for.

Source: the parser tables of Dynamo's pages Tool Call Parsing and Reasoning Parsing, and the
models that the grammar files name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelParsers:
    """The parsers of a family of models. ``reasoning`` is empty where it does not think."""

    pattern: str
    parser: str
    reasoning: str = ""


FAMILIES = (
    ModelParsers(r"qwen[-_]?3[-_.]?coder|qwen[-_]?3\.[5-9]", "qwen3_coder", "qwen3"),
    ModelParsers(r"qwen[-_]?(2\.5|3)|qwq|hermes", "hermes", "qwen3"),
    ModelParsers(r"nemotron[-_]?(3|nano)", "nemotron_nano", "nemotron_nano"),
    ModelParsers(r"llama[-_.\d]*nemotron", "nemotron_deci", "nemotron_deci"),
    ModelParsers(r"deepseek[-_]?v4", "deepseek_v4", "deepseek_v4"),
    ModelParsers(r"deepseek[-_]?v3\.2", "deepseek_v3_2", "deepseek_r1"),
    ModelParsers(r"deepseek[-_]?v3\.1", "deepseek_v3_1", "deepseek_r1"),
    ModelParsers(r"deepseek", "deepseek_v3", "deepseek_r1"),
    ModelParsers(r"gpt[-_]oss", "harmony", "gpt_oss"),
    ModelParsers(r"kimi[-_]?k2", "kimi_k2", "kimi_k25"),
    ModelParsers(r"glm[-_]?(4\.7|5)", "glm47", "glm45"),
    ModelParsers(r"minimax[-_]?m2", "minimax_m2", "minimax_append_think"),
    ModelParsers(r"minimax[-_]?m3", "minimax_m3", "minimax_m3"),
    ModelParsers(r"gemma[-_]?4", "gemma4", "gemma4"),
    ModelParsers(r"mistral|ministral|devstral", "mistral", "mistral"),
    ModelParsers(r"llama[-_]?4", "pythonic"),
    ModelParsers(r"llama[-_]?3", "llama3_json"),
    ModelParsers(r"phi[-_]?4", "phi4"),
    ModelParsers(r"jamba", "jamba"),
)


def parsers_for(model: str) -> ModelParsers | None:
    """The first family whose pattern stands in a model's name."""
    lowered = model.lower()
    return next((each for each in FAMILIES if re.search(each.pattern, lowered)), None)
