"""From paths, stdin and logs to documents."""

from __future__ import annotations

import io
import json
import os
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from structag_cli.errors import InputError
from structag_cli.sources import Document, Kind, iter_jsonl, read_document
from structag_cli.sources import reading as reading_module


class Stdin:
    """A stand-in without a file descriptor, as test runners put in place."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)

    def fileno(self) -> int:
        raise io.UnsupportedOperation


def from_stdin(monkeypatch: pytest.MonkeyPatch, data: str | bytes) -> Document:
    raw = data if isinstance(data, bytes) else data.encode()
    monkeypatch.setattr(sys, "stdin", Stdin(raw))
    return read_document("-")


def fault(path: Path | str, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        read_document(str(path), **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("a.json", '{"a": [1]}', {"a": [1]}),
        ("a.JSON", "[1]", [1]),
        ("a.yaml", "a: [1]", {"a": [1]}),
        ("a.yml", "- on", ["on"]),
        ("a.jsonl", '{"a": 1}\n\n  \n{"a": 2}\r\n', [{"a": 1}, {"a": 2}]),
        ("a.ndjson", "1\n2", [1, 2]),
        ("a.txt", '{"a": 1}', {"a": 1}),
        ("a.txt", "a: 1", {"a": 1}),
        ("a", '{"a": 1}\n{"a": 2}\n', [{"a": 1}, {"a": 2}]),
        ("a", '"a": 1', {"a": 1}),
    ],
)
def test_the_suffix_or_the_content_tells(tmp_path: Path, name: str, text: str, value: Any) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert read_document(str(path)).value == value


@pytest.mark.parametrize(
    ("kind", "value"), [("json", {"a": 1}), ("yaml", {"a": 1}), ("jsonl", [{"a": 1}])]
)
def test_the_kind_can_be_given(tmp_path: Path, kind: Kind, value: Any) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"a": 1}')
    assert read_document(str(path), kind=kind).value == value


@pytest.mark.parametrize("name", ["a.json", "a.yaml", "a.jsonl", "a"])
def test_a_byte_order_mark_is_no_content(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}')
    document = read_document(str(path))
    assert document.value in ({"a": 1}, [{"a": 1}])
    assert document.locate("").column == 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('[{"name": "a"}]', [{"name": "a"}]),
        ("- name: a\n", [{"name": "a"}]),
        ('{"a": 1}\n{"a": 2}', [{"a": 1}, {"a": 2}]),
        ("plain", "plain"),
    ],
)
def test_stdin(monkeypatch: pytest.MonkeyPatch, text: str, value: Any) -> None:
    document = from_stdin(monkeypatch, text)
    assert (document.value, document.file) == (value, "-")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "-: the input is empty"),
        (" \n", "-: the input is empty"),
        ("[1,\n x]", "-:2:2: invalid JSON"),
        ("{a: 1}", "-:1:2: invalid JSON"),
        ("a: [1\nb: 2", "invalid YAML"),
        ('{"a": 1} {"a": 2}', "-:1:10: invalid JSON: a second value"),
        ('{"a":\n 1}\n{"a": 2}', "-:3:1: invalid JSON: a second value"),
        ('{"a": 1}\n{"a": }', "-:2:7: invalid JSON"),
    ],
)
def test_stdin_faults(monkeypatch: pytest.MonkeyPatch, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        from_stdin(monkeypatch, text)
    assert message in str(caught.value)


def test_stdin_that_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert fault("-") == "-: stdin is closed"


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    assert fault(tmp_path / "none.json") == f"{tmp_path}/none.json: no such file"
    assert fault(tmp_path) == f"{tmp_path}: is a folder, not a file"
    assert "cannot read" in fault("a\0b")
    assert "cannot read: File name too long" in fault("a" * 5000)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("[]")
    path.chmod(0)
    assert fault(path) == f"{path}: cannot read: Permission denied"


def test_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'{\n"a": "\xff"}')
    assert fault(path) == f"{path}:2:7: not UTF-8: byte 0xff at offset 8 (save it as UTF-8)"
    path.write_bytes('["é"]'.encode("utf-16"))
    assert "not UTF-8: byte 0xff at offset 0" in fault(path)


def test_the_largest_size(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('["abcde"]')
    assert read_document(str(path), max_bytes=9).value == ["abcde"]
    assert fault(path, max_bytes=8) == f"{path}: larger than 8 bytes (split it)"


def test_stdin_is_not_read_beyond_the_largest_size(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    with open(read, "rb") as pipe, open(write, "wb", buffering=0) as writer:
        writer.write(b"[" * 1000)
        monkeypatch.setattr(sys, "stdin", pipe)
        # The pipe stays open: reading to its end would never come back.
        assert fault("-", max_bytes=100) == "-: larger than 100 bytes (split it)"


def test_large_yaml_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_module, "MAX_YAML_BYTES", 4)
    path = tmp_path / "a.yaml"
    path.write_text("- abc")
    assert "larger than 4 bytes (use JSON)" in fault(path)


def test_a_suffix_is_taken_at_its_word(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"a": 1}\n{"a": 2}')
    assert fault(path).startswith(f"{path}:2:1: invalid JSON: a second value after the first")
    assert ".jsonl" in fault(path)


def test_places_in_jsonl(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('\n{"a": 1}\n\n  {"b": [1, {"": 2}]}\n')
    document = read_document(str(path))
    places = {p: document.locate(p) for p in ("", "/0", "/0/a", "/1", "/1/b/1", "/1/b/1/", "/7")}
    assert {p: (place.line, place.column) for p, place in places.items()} == {
        "": (1, 1),
        "/0": (2, 1),
        "/0/a": (2, 7),
        "/1": (4, 3),
        "/1/b/1": (4, 13),
        "/1/b/1/": (4, 18),
        "/7": (1, 1),
    }


def test_faults_in_jsonl(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n{"a": 1, "a": 2}\n')
    assert fault(path).startswith(f"{path}:2:10: duplicate key 'a', first at line 2, column 2")


def rows(data: bytes) -> list[tuple[int, Any]]:
    return [
        (number, row.value if isinstance(row, Document) else str(row))
        for number, row in iter_jsonl(io.BytesIO(data), "log")
    ]


def test_a_log_gives_a_document_or_an_error_a_line() -> None:
    assert rows(b'\xef\xbb\xbf{"a": 1}\n\n{"a": }\n"\xff"\n[2]') == [
        (1, {"a": 1}),
        (3, "log:3:7: invalid JSON: Expecting value"),
        (4, "log:4:2: not UTF-8: byte 0xff"),
        (5, [2]),
    ]


def test_places_in_a_log() -> None:
    (_, (_, row)) = iter_jsonl(io.BytesIO(b'1\n{"a": [1, 2]}\n'), "log")
    assert isinstance(row, Document)
    assert str(row.locate("/a/1")) == "log:2:11 (at /a/1)"


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n", b"\n7\n"])
def test_what_a_line_lacks_at_its_end_is_told_in_that_line(end: bytes) -> None:
    _, error = next(iter_jsonl(io.BytesIO(b'{"a":' + end), "log"))
    assert isinstance(error, InputError)
    assert str(error.place) == "log:1:6"


def test_a_line_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_module, "MAX_LINE_BYTES", 20)
    found = rows(b"[1]\n[" + b"1," * 100 + b"1]\n[" + b"2" * 17 + b"]\n[3]\n[" + b"4" * 99)
    assert [row for row in found if isinstance(row[1], list)] == [
        (1, [1]),
        (3, [int("2" * 17)]),
        (4, [3]),
    ]
    assert [row for row in found if isinstance(row[1], str)] == [
        (2, "log:2:1: a line over 20 bytes"),
        (5, "log:5:1: a line over 20 bytes"),
    ]


def test_a_log_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("[1]\n[2]")
    assert [number for number, _ in iter_jsonl(str(path))] == [1, 2]
    with pytest.raises(InputError, match="no such file"):
        list(iter_jsonl(str(tmp_path / "none")))


class Endless(io.RawIOBase):
    """A log of many rows that are made as they are read."""

    def __init__(self, count: int) -> None:
        self.rows: Iterator[bytes] = (
            json.dumps({"row": n, "text": "x" * 500}).encode() + b"\n" for n in range(count)
        )

    def readline(self, size: int | None = -1, /) -> bytes:
        return next(self.rows, b"")


def test_a_log_takes_constant_memory() -> None:
    tracemalloc.start()
    try:
        assert sum(1 for _ in iter_jsonl(Endless(5_000))) == 5_000  # type: ignore[arg-type]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 500_000
