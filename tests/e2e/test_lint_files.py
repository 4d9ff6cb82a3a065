"""``structag lint`` on odd files, folders and outputs: nothing hangs, is lost or is broken."""

from __future__ import annotations

import json
import os
import stat
import threading

import pytest

pytestmark = pytest.mark.e2e

BAD = '[{"name": "a b", "input_schema": {"type": "object", "required": ["c"]}}]'


def codes(ran) -> list[str]:
    return [finding["code"] for finding in json.loads(ran.out)["findings"]]


def lint(structag, *arguments: str):
    return structag("lint", "--no-deep", *arguments)


@pytest.fixture
def bad(tmp_path) -> str:
    path = tmp_path / "bad.json"
    path.write_text(BAD)
    return str(path)


def test_a_pipe_in_a_folder_is_passed_over(structag, tmp_path, bad) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    assert "T002" in codes(lint(structag, str(tmp_path), "-f", "json"))


def test_a_pipe_that_is_named_is_read_once(structag, tmp_path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(BAD,), daemon=True)
    writer.start()
    assert "T002" in lint(structag, str(pipe)).out


def test_a_folder_that_cannot_be_listed_is_a_finding(tmp_path, monkeypatch) -> None:
    from structag_cli.lint.detect import walk

    closed = tmp_path / "closed"
    closed.mkdir()
    (tmp_path / "open.json").write_text("{}")
    scandir = os.scandir

    def refuse(path):
        if str(path) == str(closed):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert {path for path, _ in walk([str(tmp_path)])} == {
        str(tmp_path / "open.json"),
        str(closed),
    }


def test_what_cannot_be_read_is_told_whatever_is_selected(structag, bad) -> None:
    ran = lint(structag, "--select", "T002", "-f", "json", bad, "missing.json")
    assert (ran.code, codes(ran)) == (1, ["T002", "E001"])
    ran = lint(structag, "--select", "T002", "--ignore", "E001", "-f", "json", "missing.json")
    assert (ran.code, codes(ran)) == (0, [])


@pytest.mark.parametrize("format", ["text", "json", "sarif", "github", "junit"])
def test_names_that_are_no_utf8(structag, tmp_path, format) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.json")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(BAD)
    ran = lint(structag, "-f", format, path)
    assert (ran.code, ran.err) == (1, "")
    known = str(tmp_path / "known.json")
    assert lint(structag, "--write-baseline", known, path).code == 0
    assert lint(structag, "--baseline", known, path).code == 0


def test_names_with_line_breaks_make_no_lines(structag, tmp_path) -> None:
    path = tmp_path / "a\n::error::b.json"
    path.write_text(BAD.replace("a b", "x\\n::error::y"))
    assert "\n::" not in lint(structag, str(path)).out


def test_output_follows_links_and_keeps_pipes(structag, tmp_path, bad) -> None:
    target, link, pipe = (tmp_path / name for name in ("real.txt", "link.txt", "pipe"))
    link.symlink_to(target)
    assert lint(structag, "-o", str(link), bad).code == 1
    assert link.is_symlink()
    assert "T002" in target.read_text()
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    assert lint(structag, "-o", str(pipe), bad).code == 1
    reader.join(10)
    assert "T002" in read[0]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("option", ["--output", "--write-baseline"])
@pytest.mark.parametrize("name", [".", "no/such/file"])
def test_what_cannot_be_written_is_one_error(structag, tmp_path, bad, option, name) -> None:
    ran = lint(structag, option, str(tmp_path / name), bad)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "cannot write" in ran.err
    assert sorted(os.listdir(tmp_path)) == ["bad.json"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has /dev/full")
def test_a_full_disk_under_stdout_is_one_error(bad) -> None:
    import subprocess
    import sys

    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "structag_cli", "lint", "--no-deep", bad]
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)


def test_a_baseline_knows_a_file_however_it_is_written(structag, tmp_path, bad) -> None:
    known = str(tmp_path / "known.json")
    written = [bad, str(tmp_path) + "/./bad.json", str(tmp_path) + "//bad.json"]
    for one in written:
        assert lint(structag, "--write-baseline", known, one).code == 0
        for other in written:
            assert lint(structag, "--baseline", known, other).code == 0


def test_writing_a_baseline_writes_all_whatever_is_known(structag, tmp_path, bad) -> None:
    (tmp_path / "structag.toml").write_text('[lint]\nbaseline = "known.json"\n')
    options = ("--config", str(tmp_path / "structag.toml"))
    for _ in range(2):  # the first time there is none yet; the second must not empty it
        ran = lint(structag, *options, "--write-baseline", str(tmp_path / "known.json"), bad)
        assert (ran.code, ran.out) == (0, "")
        assert lint(structag, *options, bad).code == 0
