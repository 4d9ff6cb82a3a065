"""Where a GGUF file's converted weights go: the cache, or a place of their own for once."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path

import pytest

from structag_cli.errors import InputError
from structag_cli.generate import converted

pytest.importorskip("safetensors")


class Weights:
    """Saves one file, or fails as on a full disk below the folder ``full``."""

    def __init__(self, full: Path | None = None) -> None:
        self.full = full

    def save_pretrained(self, folder: str) -> None:
        from safetensors import SafetensorError

        (Path(folder) / "half").touch()
        if self.full is not None and Path(folder).is_relative_to(self.full):
            raise SafetensorError("No space left on device")
        (Path(folder) / "config.json").touch()


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    path.touch()
    return path


def use(monkeypatch: pytest.MonkeyPatch, cache: Path, weights: Weights) -> list[str]:
    monkeypatch.setenv("STRUCTAG_CACHE_DIR", str(cache))
    monkeypatch.setattr(converted, "_from_gguf", lambda path: weights)
    return []


def test_a_second_start_finds_the_weights(monkeypatch, tmp_path, gguf) -> None:
    said = use(monkeypatch, tmp_path / "cache", Weights())
    first = converted.converted(gguf, said.append)
    assert (first / "config.json").is_file()
    assert converted.converted(gguf, said.append) == first
    assert len(said) == 1


def test_a_cache_that_cannot_be_written_costs_the_next_start_only(
    monkeypatch, tmp_path, gguf
) -> None:
    (tmp_path / "file").touch()
    said = use(monkeypatch, tmp_path / "file", Weights())
    with converted.weights_folder(gguf, said.append) as folder:
        assert (folder / "config.json").is_file()
    assert not folder.exists()
    assert "STRUCTAG_CACHE_DIR" in said[-1]


def test_a_full_disk_leaves_nothing_half_written(monkeypatch, tmp_path, gguf) -> None:
    cache = tmp_path / "cache"
    said = use(monkeypatch, cache, Weights(full=cache))
    with converted.weights_folder(gguf, said.append) as folder:
        assert (folder / "config.json").is_file()
    assert list((cache / "models").iterdir()) == []
    assert "No space left" in said[-1]


def test_no_room_anywhere_is_one_error(monkeypatch, tmp_path, gguf) -> None:
    said = use(monkeypatch, tmp_path / "cache", Weights(full=Path("/")))
    with (
        pytest.raises(InputError, match="no room"),
        converted.weights_folder(gguf, said.append),
    ):
        pass


def test_no_room_for_even_a_folder_is_one_error(monkeypatch, tmp_path, gguf) -> None:
    def refused(**_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    use(monkeypatch, tmp_path / "cache", Weights())
    monkeypatch.setattr(tempfile, "mkdtemp", refused)
    monkeypatch.setattr(tempfile, "TemporaryDirectory", refused)
    with pytest.raises(InputError, match="no room"), converted.weights_folder(gguf, print):
        pass
