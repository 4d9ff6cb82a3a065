"""Look-ups of grammars by parser name and by format."""

from __future__ import annotations

import pytest

from structag_cli.errors import UsageError
from structag_cli.formats.registry import (
    grammar_for,
    grammar_of_format,
    grammar_path,
    known_parsers,
    unknown_parser,
)


@pytest.mark.parametrize(
    ("parser", "format"),
    [
        ("hermes", "hermes_nl"),
        ("qwen25", "hermes_nl"),
        ("qwen3_coder", "qwen_xml"),
        ("nemotron_nano", "qwen_xml"),
        ("qwen3", "qwen_xml"),
        ("deepseek_v3_2", "deepseek_v3_2"),
        ("deepseek_v4", "deepseek_v4"),
        ("deepseek-v4", "deepseek_v4"),
        ("kimi_k25", "kimi_k2"),
        ("gpt-oss", "harmony"),
        ("deepseekv3.1", "deepseek_v3_1"),
        ("mistral_v11", "mistral_v11"),
    ],
)
def test_grammar_for(parser: str, format: str) -> None:
    grammar = grammar_for(parser)
    assert grammar is not None
    assert grammar.format == format


@pytest.mark.parametrize("parser", ["pythonic", "herme", "", "names"])
def test_no_grammar_for(parser: str) -> None:
    assert grammar_for(parser) is None


def test_grammar_path_prefers_the_format() -> None:
    assert grammar_path("hermes_nl").name == "hermes_nl.yaml"
    assert grammar_path("hermes").name == "hermes_nl.yaml"
    with pytest.raises(UsageError, match="hermes_nl"):
        grammar_path("hermes_nil")


def test_grammar_of_format() -> None:
    assert grammar_of_format("glm47").format == "glm47"
    with pytest.raises(UsageError, match="no grammar"):
        grammar_of_format("hermes")


def test_unknown_parser_names_the_nearest() -> None:
    assert "hermes" in str(unknown_parser("hermse"))
    assert {"hermes", "pythonic", "openai"} <= set(known_parsers())
