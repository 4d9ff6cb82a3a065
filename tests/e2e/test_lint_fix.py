"""``structag lint --fix`` and ``--diff`` through the installed command."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.e2e

BAD = '[{"name" : "f","parameters": {"type": "OBJECT" ,"required": ["a","a"]}}]\n'
GOOD = '[{"name" : "f","parameters": {"type": "object" ,"required": ["a"]}}]\n'


def run(*args, stdin=None):
    command = [sys.executable, "-m", "structag_cli", "lint", "--no-deep", *args]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=120)


@pytest.fixture
def tools(tmp_path):
    path = tmp_path / "tools.json"
    path.write_text(BAD)
    return path


def test_diff_prints_a_patch_and_changes_nothing(tools):
    done = run("--diff", str(tools))
    assert done.returncode == 1
    assert done.stdout == f"--- {tools}\n+++ {tools}\n@@ -1 +1 @@\n-{BAD}+{GOOD}"
    assert done.stderr == "1 finding can be mended in 1 file\n"
    assert tools.read_text() == BAD


def test_fix_writes_shows_and_lints_what_is_left(tools):
    done = run("--fix", str(tools), "--select", "T010,T012")
    assert (done.returncode, done.stdout) == (0, "nothing found in 1 file\n")
    assert f"-{BAD}+{GOOD}1 finding mended in 1 file\n" in done.stderr
    assert tools.read_text() == GOOD
    assert run("--diff", str(tools)).returncode == 0


def test_the_status_tells_what_is_left(tools):
    done = run("--fix", str(tools), "--format", "json", "--fail-on", "info")
    assert done.returncode == 1
    codes = {finding["code"] for finding in json.loads(done.stdout)["findings"]}
    assert codes
    assert "T010" not in codes
    assert tools.read_text() == GOOD


def test_reports_tell_what_can_be_mended(tools):
    found = json.loads(run("--format", "json", str(tools)).stdout)["findings"]
    assert {each["code"] for each in found if each["fixable"]} == {"T010"}


def test_stdin_has_a_patch_but_no_place_to_mend(tools):
    done = run("--diff", "-", stdin=BAD)
    assert (done.returncode, done.stdout.splitlines()[0]) == (1, "--- -")
    done = run("--fix", "-", stdin=BAD)
    assert (done.returncode, done.stdout) == (2, "")
    assert "stdin cannot be mended in place (--diff" in done.stderr


def test_a_read_only_file_is_one_clear_error(tools):
    tools.chmod(0o444)
    done = run("--fix", str(tools))
    assert (done.returncode, done.stdout) == (2, "")
    assert "tools.json: cannot write: it is read-only" in done.stderr
    assert "Traceback" not in done.stderr
    assert tools.read_text() == BAD


@pytest.mark.parametrize("also", [("--diff",), ("--write-baseline", "known.json")])
def test_what_excludes_each_other(tools, also):
    done = run("--fix", *also, str(tools))
    assert done.returncode == 2
    assert tools.read_text() == BAD


def test_diff_tells_what_it_cannot_read(tmp_path):
    (tmp_path / "x.json").write_text('{"tools": [')
    done = run("--diff", str(tmp_path / "x.json"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "invalid JSON" in done.stderr


def test_mends_that_are_not_made_are_told(tmp_path):
    path = tmp_path / "tools.yaml"
    path.write_text("- name: f\n  parameters:\n    type: &t STRING\n    title: *t\n")
    done = run("--fix", str(path), "--select", "T010")
    assert done.returncode == 1
    assert "T010 is not mended: it has an anchor" in done.stderr
    assert "&t STRING" in path.read_text()
    assert "with --fix" not in done.stdout, "what --fix has refused it would refuse again"
