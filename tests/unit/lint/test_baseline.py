"""A baseline knows as many findings as it was written with, and no more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from structag_cli.errors import InputError
from structag_cli.lint.baseline import read_baseline, write_baseline
from structag_cli.lint.detect import walk
from structag_cli.lint.fixes.mending import mend
from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings

LINE = '{"name": "f", "description": "d", "input_schema": {"type": "OBJECT"}}\n'
SHALLOW = Settings(deep=False)


def found(path, *codes: str, baseline=None) -> list[int | None]:
    """The lines of what is reported in a file."""
    selection = Selection(codes, baseline=baseline or {})
    return [finding.place.line for finding in lint([str(path)], SHALLOW, selection)]


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text(LINE * 2)
    return path


def known_of(log, tmp_path) -> str:
    known = str(tmp_path / "known.json")
    assert write_baseline(known, lint([str(log)], SHALLOW, Selection(("T010",)))) == 2
    return known


def test_equal_findings_of_other_lines_are_counted(log, tmp_path) -> None:
    baseline = read_baseline(known_of(log, tmp_path))
    assert found(log, "T010", baseline=baseline) == []
    log.write_text(LINE * 4)
    assert found(log, "T010", baseline=baseline) == [3, 4]
    assert found(log, "T010", baseline=baseline) == [3, 4], "a run leaves the numbers as they are"


def test_only_what_is_not_known_is_mended(log, tmp_path) -> None:
    selection = Selection(("T010",), baseline=read_baseline(known_of(log, tmp_path)))
    assert mend(str(log), LINE * 2, SHALLOW, selection).text == LINE * 2
    done = mend(str(log), LINE * 4, SHALLOW, selection)
    assert done.text == LINE * 2 + LINE.replace("OBJECT", "object") * 2


def test_a_list_without_numbers_knows_any_number(log, tmp_path) -> None:
    old = tmp_path / "old.json"
    value = json.loads(Path(known_of(log, tmp_path)).read_text())
    old.write_text(json.dumps({"version": 1, "known": list(value["known"])}))
    log.write_text(LINE * 4)
    assert found(log, "T010", baseline=read_baseline(str(old))) == []


@pytest.mark.parametrize(
    "known", ["null", "[1]", '{"a": "1"}', '{"a": 0}', '{"a": -1}', '{"a": true}', '{"a": null}']
)
def test_what_is_no_baseline(tmp_path, known) -> None:
    path = tmp_path / "known.json"
    path.write_text(f'{{"known": {known}}}')
    with pytest.raises(InputError, match="not a baseline"):
        read_baseline(str(path))


def test_a_file_that_is_named_twice_is_one(tmp_path, log) -> None:
    (tmp_path / "a.json").write_text("{}")
    paths = [str(tmp_path), str(log), f"{tmp_path}/./log.jsonl"]
    assert list(walk(paths)) == [(str(tmp_path / "a.json"), False), (str(log), True)]
