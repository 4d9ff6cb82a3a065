"""The process that watches the engine ends as its child ends, and says why it had to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

BUSY = "with watch.native_code(): print('busy', flush=True); time.sleep(30)"
IDLE = "print('idle', flush=True); time.sleep(30)"


def begin(code: str, seconds: str = "20") -> subprocess.Popen[str]:
    program = f"import os, signal, sys, time\nfrom structag_cli import watch\nwatch.start()\n{code}"
    return subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "STRUCTAG_ENGINE_SECONDS": seconds},
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=20)
    return process.returncode, out, err


@pytest.mark.parametrize("status", [0, 1, 2, 3, 130])
def test_the_status_and_the_output_are_the_childs(status: int) -> None:
    code = f"print('done'); print('talk', file=sys.stderr); sys.exit({status})"
    assert ended(begin(code)) == (status, "done\n", "talk\n")


def test_text_printed_before_is_printed_once() -> None:
    program = (
        "import sys; sys.stdout.write('once ')\n"
        "from structag_cli import watch; watch.start(); print('and for all')"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout == "once and for all\n"


def test_a_call_that_takes_too_long_is_ended() -> None:
    started = time.monotonic()
    status, out, err = ended(begin(BUSY, "0.3"))
    assert (status, out) == (2, "busy\n")
    assert "longer than 0.3 s" in err
    assert "structag lint" in err
    assert time.monotonic() - started < 15


def test_calls_that_return_in_time_may_be_many() -> None:
    code = "for _ in range(20):\n with watch.native_code(): time.sleep(0.05)"
    assert ended(begin(code, "0.7"))[0] == 0


def test_work_outside_of_the_engine_may_take_long() -> None:
    assert ended(begin("time.sleep(1)", "0.2"))[0] == 0


def test_a_call_within_a_call_ends_no_watch() -> None:
    code = "with watch.native_code():\n with watch.native_code(): pass\n time.sleep(30)"
    assert ended(begin(code, "0.3"))[0] == 2


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL"])
def test_a_crash_is_told(name: str) -> None:
    status, _, err = ended(begin(f"os.kill(os.getpid(), signal.{name})"))
    assert status == 2
    assert f"the engine crashed ({name})" in err


def test_a_child_that_something_else_killed_is_told() -> None:
    status, _, err = ended(begin("os.kill(os.getpid(), signal.SIGKILL)"))
    assert status == 2
    assert "memory" in err


def interrupted(code: str, number: int) -> tuple[int, str, str]:
    """Send a signal to the watching process alone, once the child is where it will stay."""
    process = begin(code)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(number)
    return ended(process)


def test_ctrl_c_ends_a_busy_engine_at_once() -> None:
    status, _, err = interrupted(BUSY, signal.SIGINT)
    assert status == -signal.SIGINT
    assert err == ""


def test_ctrl_c_is_the_childs_own_matter_while_the_engine_rests() -> None:
    code = f"try:\n {IDLE}\nexcept KeyboardInterrupt:\n print('kept'); sys.exit(130)"
    status, out, _ = interrupted(code, signal.SIGINT)
    assert (status, out) == (130, "kept\n")


def test_a_request_to_end_reaches_the_child() -> None:
    assert interrupted(IDLE, signal.SIGTERM)[0] == -signal.SIGTERM


def test_a_second_ctrl_c_ends_what_does_not_end() -> None:
    process = begin(f"signal.signal(signal.SIGUSR2, signal.SIG_IGN)\n{IDLE}")
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert ended(process)[0] == -signal.SIGINT


@pytest.mark.skipif(sys.platform != "linux", reason="SIGIO of pipes, as Linux sends it")
def test_the_child_does_not_outlive_a_killed_parent() -> None:
    """It would hold the pipes that a caller reads to their end."""
    assert interrupted(BUSY, signal.SIGKILL)[0] == -signal.SIGKILL


@pytest.mark.parametrize("given", ["soon", "0", "-1", "nan"])
def test_a_limit_that_is_no_number_is_refused(given: str) -> None:
    status, _, err = ended(begin("pass", given))
    assert status == 1  # a traceback here; the command line makes it an error
    assert f"STRUCTAG_ENGINE_SECONDS={given}" in err
