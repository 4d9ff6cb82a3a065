"""Any bytes at all are a document or one InputError, whatever they are called."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from structag_cli.errors import InputError
from structag_cli.sources import Document, iter_jsonl, read_document

SEEDS = [
    json.dumps({"tools": [{"name": "é\U0001f600", "parameters": {"a": [1, -2.5e3, None]}}]}),
    '{"a": "\\ud83d\\ude00", "b": [true, false, {"c": {}}]}',
    "tools:\n  - &a {name: x, parameters: {type: object}}\n  - <<: *a\n    name: 'y'\n",
    '{"a": 1}\n{"b": 2}\n',
    "- |\n  block\n- >-\n  folded\n- !!str 1\n",
]
PIECES = [b"{", b"}", b"[", b"]", b'"', b",", b":", b"\\", b"\\ud800", b"\\u0000", b"NaN", b"\n"]
PIECES += [b"&a ", b"*a", b"!!", b"---\n", b"\t", b"\xff", b"\x00", b"\xef\xbb\xbf", b"1e999", b"#"]


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    data = draw(st.sampled_from(SEEDS)).encode()
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        end = draw(st.integers(at, min(len(data), at + 6)))
        data = data[:at] + draw(st.sampled_from([b"", *PIECES])) + data[end:]
    return data[: draw(st.integers(0, len(data)))] if draw(st.booleans()) else data


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(mutated() | st.binary(max_size=60), st.sampled_from(["json", "yaml", "jsonl", "txt"]))
def test_files(folder: Path, data: bytes, suffix: str) -> None:
    path = folder / f"a.{suffix}"
    path.write_bytes(data)
    document, message = read(path)
    if document is None:
        assert message.startswith(str(path))
        assert "\n" not in message
    else:
        json.dumps(document.value, allow_nan=False, ensure_ascii=False).encode()
        assert document.locate("/tools/0/parameters").line is not None


def read(path: Path) -> tuple[Document | None, str]:
    try:
        return read_document(str(path)), ""
    except InputError as err:
        return None, str(err)


@settings(deadline=None)
@given(st.lists(mutated() | st.binary(max_size=30), max_size=4))
def test_logs(lines: list[bytes]) -> None:
    for number, row in iter_jsonl(io.BytesIO(b"\n".join(lines))):
        assert number >= 1
        assert isinstance(row, (Document, InputError))
