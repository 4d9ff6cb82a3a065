"""The published schema and reference page of grammar files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import grammar_reference
import jsonschema
import pytest
import yaml

from structag_cli.formats.registry import grammar_files, read_grammar
from structag_cli.formats.schema import grammar_schema

ROOT = Path(__file__).resolve().parents[3]


def structs() -> list[tuple[str, dict[str, Any]]]:
    schema = grammar_schema()
    return [("Grammar", schema), *schema["$defs"].items()]


def test_is_valid_json_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(grammar_schema())


@pytest.mark.parametrize("path", grammar_files(), ids=lambda path: path.stem)
def test_shipped_files_satisfy_it(path: Path) -> None:
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    jsonschema.validate(data, grammar_schema(), jsonschema.Draft202012Validator)


def test_every_field_is_described() -> None:
    for name, struct in structs():
        assert struct["description"], name
        for field, value in struct["properties"].items():
            assert value.get("description"), f"{name}.{field}"


def test_committed_schema_is_current() -> None:
    committed = json.loads(grammar_reference.SCHEMA.read_text(encoding="utf-8"))
    assert committed == grammar_schema(), "run scripts/grammar_reference.py"


def test_reference_page_is_current() -> None:
    page = grammar_reference.PAGE.read_text(encoding="utf-8")
    assert grammar_reference.with_tables(page) == page, "run scripts/grammar_reference.py"


def test_the_page_shows_a_valid_file(tmp_path: Path) -> None:
    page = grammar_reference.PAGE.read_text(encoding="utf-8")
    sample = page.split("```yaml\n")[1].split("```")[0]
    path = tmp_path / "sample.yaml"
    path.write_text(sample, encoding="utf-8")
    assert read_grammar(path).format == "bracket_call"
