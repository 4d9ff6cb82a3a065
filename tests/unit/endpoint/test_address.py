"""URLs as users give them."""

from __future__ import annotations

import pytest

from structag_cli.endpoint.address import read_address
from structag_cli.errors import UsageError


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("http://localhost:8000", "http://localhost:8000/v1/completions"),
        ("http://localhost:8000/", "http://localhost:8000/v1/completions"),
        ("http://localhost:8000/v1/", "http://localhost:8000/v1/completions"),
        ("HTTPS://h.example/team/a/v1", "https://h.example/team/a/v1/completions"),
        ("https://h.example:443/v1", "https://h.example/v1/completions"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1/completions"),
        ("http://h/v1/chat/completions", "http://h/v1/completions"),
        ("http://h/v1/completions", "http://h/v1/completions"),
    ],
)
def test_good(url: str, asked: str) -> None:
    assert read_address(url).url("/completions") == asked


@pytest.mark.parametrize(
    ("url", "what"),
    [
        ("localhost:8000", "no scheme"),
        ("", "no scheme"),
        ("me:hunter2@localhost", "no scheme"),
        ("ftp://host/v1", "not HTTP"),
        ("http://", "no host"),
        ("http:///v1", "no host"),
        ("http://h:99999/v1", "ort"),
        ("http://h:x/v1", "ort"),
        ("http://[::1/v1", "IPv6"),
        ("http://h/v1?a=b", "no . and"),
        ("http://h/v1#x", "no . and #"),
        ("http://h /v1", "spaces"),
        ("http://h/v1\r\nX: y", "spaces"),
        ("http://bücher.example/v1", "ASCII"),
        ("http://me:hunter2@h/v1", "password"),
    ],
)
def test_bad(url: str, what: str) -> None:
    with pytest.raises(UsageError, match=what) as caught:
        read_address(url)
    assert caught.value.mend
    assert "hunter2" not in str(caught.value)
