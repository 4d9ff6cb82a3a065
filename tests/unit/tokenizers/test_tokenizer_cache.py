"""The cache: whole entries or none, whoever writes."""

from __future__ import annotations

import base64
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from structag_cli.tokenizers.cache import DiskCache
from structag_cli.tokenizers.tokenizer import open_tokenizer

KEY = "ab" + "0" * 38


def test_what_is_stored_is_loaded(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    assert cache.load(KEY) is None
    assert cache.store(KEY, b"content")
    assert cache.load(KEY) == b"content"
    assert cache.info().entries == 1
    assert cache.clear().entries == 1
    assert cache.load(KEY) is None


def test_damaged_entries_count_as_none(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    cache.store(KEY, b"content" * 100)
    path = next(path for path in tmp_path.rglob("*") if path.is_file())
    whole = path.read_bytes()
    for damaged in (whole[:-1], whole[:10], b"", whole[:-1] + b"x"):
        path.write_bytes(damaged)
        assert cache.load(KEY) is None


def test_a_cache_that_cannot_be_written_harms_nobody(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert not DiskCache(file).store(KEY, b"x")
    assert DiskCache(None).load(KEY) is None


def test_parallel_writers(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: cache.store(KEY, bytes([n]) * 100_000), range(32)))
    found = cache.load(KEY)
    assert found is not None
    assert len(set(found)) == 1
    assert not list(tmp_path.rglob(".new-*"))


def test_a_changed_file_never_meets_an_old_entry(tmp_path: Path) -> None:
    pytest.importorskip("tiktoken")
    cache = DiskCache(tmp_path / "cache")
    folder = tmp_path / "model"
    folder.mkdir()
    lines = (b"%s %d\n" % (base64.b64encode(bytes([v])), v) for v in range(256))
    (folder / "x.tiktoken").write_bytes(b"".join(lines))
    config = folder / "config.json"
    config.write_text(json.dumps({"eos_token_id": 9}))
    said: list[str] = []
    assert open_tokenizer(str(folder), cache=cache, say=said.append).stop_ids() == [9]
    assert open_tokenizer(str(folder), cache=cache, say=said.append).stop_ids() == [9]
    assert len(said) == 1
    config.write_text(json.dumps({"eos_token_id": 10}))
    assert open_tokenizer(str(folder), cache=cache, say=said.append).stop_ids() == [10]
    assert len(said) == 2


def test_foreign_files_in_the_cache_folder_stay(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep")
    cache = DiskCache(tmp_path)
    cache.store(KEY, b"x")
    cache.clear()
    assert (tmp_path / "mine.txt").read_text() == "keep"
