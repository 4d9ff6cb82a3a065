"""Settings of a project: what they name lies beside their file, wherever lint is run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from structag_cli.errors import InputError
from structag_cli.findings import Finding, Severity
from structag_cli.lint.config import read_config
from structag_cli.lint.selection import Selection
from structag_cli.place import Place

NAMES = """
baseline = "known.json"
grammar = "/abs/mine.yaml"
tokenizer = "smollm2"
[{table}.per-file-ignores]
"tests/*" = ["T"]
"""


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("structag.toml", "lint"),
        ("structag.toml", "tool.structag.lint"),
        ("ci.toml", "lint"),
        ("pyproject.toml", "tool.structag.lint"),
    ],
)
def test_names_of_files_are_seen_from_the_file_that_sets_them(tmp_path, monkeypatch, name, table):
    (tmp_path / name).write_text(f"[{table}]" + NAMES.replace("{table}", table))
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    found = read_config(f"../../{name}")
    assert found.baseline == "../../known.json"
    assert found.grammar == "/abs/mine.yaml"
    assert found.tokenizer == "smollm2"
    assert "../../tests/*" in found.per_file_ignores


def test_a_file_that_is_named_and_sets_nothing_is_an_error(tmp_path):
    file = tmp_path / "other.toml"
    file.write_text("[ruff]\nline-length = 3\n")
    with pytest.raises(InputError, match="no settings of lint"):
        read_config(str(file))


@pytest.mark.parametrize(
    ("line", "mend"),
    [
        ('fail-on = "eror"', "known are info, warning, error, never"),
        ('severity = "never"', "known are info, warning, error"),
        ('fail_on = "error"', "known are parser, grammar, "),
        ("ignore = 3", ""),
    ],
)
def test_a_wrong_setting_is_told_with_what_may_stand_there(tmp_path, line, mend):
    file = tmp_path / "structag.toml"
    file.write_text(f"[lint]\n{line}\n")
    with pytest.raises(InputError) as caught:
        read_config(str(file))
    assert caught.value.mend.startswith(mend)
    assert bool(caught.value.mend) == bool(mend)


def test_what_is_true_everywhere_is_said_once_and_known_whichever_file_comes_first():
    first, second, other = (
        Finding("A001", "a", Severity.INFO, what, Place(file, 1, 1), everywhere=True)
        for what, file in [("one", "a.json"), ("one", "b.json"), ("two", "b.json")]
    )
    assert list(Selection().kept([first, second, other], {})) == [first, other]
    assert list(Selection().kept([second, first], {first.fingerprint: 1})) == []
    unseen = Selection(per_file={"a.json": ("A",)})
    assert list(unseen.kept([first, second], {})) == [second]


@pytest.mark.parametrize("file", ["tests/a.json", "./tests/a.json", "{here}/tests/a.json"])
@pytest.mark.parametrize("pattern", ["tests/*", "./tests/*", "{here}/tests/*"])
def test_per_file_ignores_mean_the_file_however_it_is_written(tmp_path, monkeypatch, file, pattern):
    monkeypatch.chdir(tmp_path)
    file, pattern = (each.replace("{here}", str(tmp_path)) for each in (file, pattern))
    selection = Selection(per_file={pattern: ("T",)})
    finding = Finding("T001", "no-name", Severity.ERROR, "", Place(file, 1, 1))
    assert not list(selection.kept([finding], {}))
    assert list(Selection(per_file={"other/*": ("T",)}).kept([finding], {})) == [finding]


def test_per_file_ignores_hold_in_folders_whose_names_are_patterns(tmp_path, monkeypatch):
    folder = tmp_path / "app[1]"
    (folder / "tools").mkdir(parents=True)
    (folder / "structag.toml").write_text('[lint.per-file-ignores]\n"tools/*" = ["T"]\n')
    finding = Finding("T001", "no-name", Severity.ERROR, "", Place("", 1, 1))
    for here, file in ((folder, "tools/a.json"), (folder / "tools", "a.json")):
        monkeypatch.chdir(here)
        selection = Selection(per_file=dict(read_config().per_file_ignores))
        assert not list(selection.kept([replace(finding, place=Place(file, 1, 1))], {}))
    monkeypatch.chdir(tmp_path)
    selection = Selection(per_file=dict(read_config("app[1]/structag.toml").per_file_ignores))
    found = replace(finding, place=Place("app[1]/tools/a.json", 1, 1))
    assert not list(selection.kept([found], {}))


@pytest.mark.parametrize(
    "table", ['ignore = ["Q1"]', 'select = ["T0", "Q1"]', 'per-file-ignores = {"*" = ["Q1"]}']
)
def test_an_unknown_code_is_told_with_the_file_that_names_it(tmp_path, table):
    file = tmp_path / "structag.toml"
    file.write_text(f"[lint]\n{table}\n")
    with pytest.raises(InputError, match="no rule Q1") as caught:
        read_config(str(file))
    assert caught.value.place.file == str(file)
