"""Patches that ``patch`` takes, and files replaced whole."""

import os
import shutil
import stat
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from structag_cli.errors import InputError
from structag_cli.lint.fixes.diff import unified
from structag_cli.lint.fixes.files import mend_files
from structag_cli.lint.fixes.nearest import slips, sole
from structag_cli.lint.fixes.writing import rewrite
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings

TEXTS = st.lists(st.sampled_from(["a", "b", "\n", "\n", "\r\n", "\u2028", "\x0b", "é"])).map(
    "".join
)
BAD = '[{"name": "f", "parameters": {"type": "OBJECT"}}]'


@pytest.mark.skipif(shutil.which("git") is None, reason="git reads the patches")
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(TEXTS, TEXTS)
def test_a_diff_is_a_patch_that_can_be_applied(tmp_path, old, new):
    path = tmp_path / "x.json"
    path.write_bytes(old.encode())
    diff = unified(old, new, "x.json")
    assert bool(diff) == (old != new)
    if diff:
        command = ["git", "apply", "-p0", "--whitespace=nowarn", "--unidiff-zero", "-"]
        done = subprocess.run(command, input=diff.encode(), cwd=tmp_path, capture_output=True)
        assert done.returncode == 0, done.stderr
        assert path.read_bytes() == new.encode()


def test_links_are_followed_and_modes_kept(tmp_path):
    target, link = tmp_path / "real.json", tmp_path / "link.json"
    target.write_bytes(b"old")
    target.chmod(0o754)
    link.symlink_to(target.name)
    rewrite(str(link), b"old", b"new\r\n")
    assert link.is_symlink()
    assert target.read_bytes() == b"new\r\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o754
    assert sorted(os.listdir(tmp_path)) == ["link.json", "real.json"]


def test_a_file_that_changed_is_left_alone(tmp_path):
    path = tmp_path / "x.json"
    path.write_bytes(b"newer")
    with pytest.raises(InputError, match="changed while"):
        rewrite(str(path), b"old", b"new")
    assert path.read_bytes() == b"newer"


def test_read_only_files_are_refused(tmp_path):
    path = tmp_path / "x.json"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(InputError, match="cannot write: it is read-only"):
        rewrite(str(path), b"old", b"new")
    assert path.read_bytes() == b"old"


def test_pipes_are_refused_and_not_waited_for(tmp_path):
    path = tmp_path / "x.json"
    os.mkfifo(path)
    with pytest.raises(InputError, match="no regular file"):
        rewrite(str(path), b"old", b"new")


def test_a_failing_write_leaves_no_trace(tmp_path, monkeypatch):
    path = tmp_path / "x.json"
    path.write_bytes(b"old")

    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InputError, match="cannot write: No space left"):
        rewrite(str(path), b"old", b"new")
    assert os.listdir(tmp_path) == ["x.json"]
    assert path.read_bytes() == b"old"


def test_each_file_is_mended_once_with_its_byte_order_mark(tmp_path):
    path = tmp_path / "x.json"
    path.write_bytes(b"\xef\xbb\xbf" + BAD.encode() + b"\r\n")
    (tmp_path / "y.json").symlink_to("x.json")
    run = Settings(deep=False), Selection()
    done = list(mend_files([str(tmp_path), str(path)], *run, write=False))
    assert len(done) == 1
    assert path.read_bytes().endswith(BAD.encode() + b"\r\n")
    list(mend_files([str(tmp_path)], *run, write=True))
    assert path.read_bytes() == b"\xef\xbb\xbf" + BAD.replace("OBJECT", "object").encode() + b"\r\n"


@pytest.mark.skipif(shutil.which("git") is None, reason="git reads the patches")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.json", BAD),
        ("x.json", BAD + "\r\n"),
        ("x.json", BAD.replace(" ", "\r\n ")),
        ("x.jsonl", (BAD[1:-1] + "\r\n") * 2),
        ("x.yaml", "name: f\r\nparameters:\r\n  type: OBJECT\r\n"),
    ],
)
def test_a_patch_of_a_file_with_a_byte_order_mark_can_be_applied(tmp_path, monkeypatch, name, text):
    monkeypatch.chdir(tmp_path)
    old = b"\xef\xbb\xbf" + text.encode()
    (tmp_path / name).write_bytes(old)
    selection = Selection(("T010",))
    (mends,) = mend_files([name], Settings(deep=False), selection, write=False)
    command = ["git", "apply", "-p0", "--whitespace=nowarn", "-"]
    done = subprocess.run(command, input=mends.diff.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / name).read_bytes() == old.replace(b"OBJECT", b"object")


def test_what_cannot_be_read_is_told(tmp_path):
    (tmp_path / "latin.json").write_bytes(b'{"name": "\xe9"}')
    (tmp_path / "broken.json").write_bytes(b'{"name": ')
    paths = [str(tmp_path), str(tmp_path / "missing.json")]
    done = mend_files(paths, Settings(deep=False), Selection(), write=True)
    told = [each.mended.troubles[0].message for each in done]
    assert [message.partition(":")[0] for message in told] == [
        "invalid JSON",
        "not UTF-8",
        "no such file",
    ]


NAMES = ("excludes", "max_tokens", "max_chars", "min", "max", "end")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("exclude", "excludes"),
        ("Excludes", "excludes"),
        ("maxTokens", "max_tokens"),
        ("max-tokens", "max_tokens"),
        ("max_tokesn", "max_tokens"),
        ("mix", None),
        ("mn", None),
        ("ends", "end"),
        ("maximum", None),
        ("", None),
    ],
)
def test_the_one_name_that_is_near(name, found):
    assert sole(name, NAMES) == found


def test_slips_count_letters_that_change_come_go_or_swap():
    pairs = [("", "ab"), ("abc", "acb"), ("abc", "abd"), ("abc", "abc"), ("ca", "abc")]
    assert [slips(*pair) for pair in pairs] == [2, 1, 1, 0, 3]
