"""When to try again, and how long to wait."""

from __future__ import annotations

import random
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import pytest

from structag_cli.endpoint.faults import ServerFault, seconds_of
from structag_cli.endpoint.retries import FIRST, LONGEST, PATIENCE, Retries


def fault(*, again: bool = True, after: float | None = None) -> ServerFault:
    return ServerFault("x", url="http://h", again=again, after=after)


def test_back_off_doubles_with_jitter() -> None:
    retries = Retries(20, random.Random(1))
    for tried in range(20):
        full = min(FIRST * 2**tried, LONGEST)
        waits = {retries.wait(fault(), tried) for _ in range(50)}
        assert len(waits) > 40
        assert all(wait is not None and full / 2 <= wait <= full for wait in waits)


def test_not_for_ever_and_not_for_everything() -> None:
    assert Retries(2).wait(fault(), 1) is not None
    assert Retries(2).wait(fault(), 2) is None
    assert Retries(0).wait(fault(), 0) is None
    assert Retries(9).wait(fault(again=False), 0) is None


def test_the_server_says_when() -> None:
    wait = Retries(1).wait(fault(after=7.0), 0)
    assert wait is not None
    assert 7.0 <= wait <= 7.7
    assert Retries(1).wait(fault(after=PATIENCE + 1), 0) is None
    assert Retries(1).wait(fault(after=0.0), 0) == 0.0


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("3", 3.0),
        ("0.5", 0.5),
        ("-1", None),
        ("nan", None),
        ("inf", None),
        ("x", None),
    ],
)
def test_retry_after(header: str | None, seconds: float | None) -> None:
    assert seconds_of(header) == seconds


def test_retry_after_as_a_date() -> None:
    later = datetime.now(timezone.utc) + timedelta(seconds=60)
    seconds = seconds_of(format_datetime(later, usegmt=True))
    assert seconds is not None
    assert 55 < seconds <= 60
    assert seconds_of("Wed, 21 Oct 2015 07:28:00 GMT") == 0.0
