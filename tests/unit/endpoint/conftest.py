"""A server for every test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fake_server import FakeServer, running_server


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with running_server() as fake:
        yield fake
