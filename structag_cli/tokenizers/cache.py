"""Prepared tokenizers on disk, by what the files hold.

An entry's name is the digest of the tokenizer's files and of this package's own format
version, so a changed file or a new format never meets an old entry. Entries are written
beside their place and moved there, so readers see a whole one or none, however many
processes write. Each starts with a checksum of its rest: a damaged entry counts as none.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from structag_cli.whole_files import replace_bytes

FORMAT = 2
"""Counts up when what is stored changes its meaning."""

_SUM_BYTES = 16


def default_root() -> Path:
    """``$STRUCTAG_CACHE_DIR``, or ``structag`` in the user's cache folder."""
    own = os.environ.get("STRUCTAG_CACHE_DIR")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "structag"


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What the cache holds, in bytes."""

    root: Path
    entries: int
    bytes: int


@dataclass(frozen=True, slots=True)
class DiskCache:
    """A folder of entries. ``root`` is ``None`` when nothing is to be kept."""

    root: Path | None

    def load(self, key: str) -> bytes | None:
        """The entry's content, or ``None`` when there is none that is whole."""
        if self.root is None:
            return None
        try:
            data = self._path(key).read_bytes()
        except OSError:
            return None
        return data[_SUM_BYTES:] if data[:_SUM_BYTES] == _checksum(data[_SUM_BYTES:]) else None

    def store(self, key: str, content: bytes) -> bool:
        """Keep an entry; false when the folder cannot be written, which harms nobody."""
        if self.root is None:
            return False
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_bytes(path, _checksum(content) + content, ".new-")
        except OSError:
            return False
        return True

    def info(self) -> CacheInfo:
        """How many entries there are and their size."""
        root = self.root or default_root()
        sizes = [size for _path, size in _files(root)]
        return CacheInfo(root, len(sizes), sum(sizes))

    def clear(self) -> CacheInfo:
        """Remove every entry; what was there is returned."""
        before = self.info()
        for path, _size in _files(before.root):
            path.unlink(missing_ok=True)
        return before

    def _path(self, key: str) -> Path:
        assert self.root is not None
        return self.root / f"v{FORMAT}" / key[:2] / key


def _checksum(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_SUM_BYTES).digest()


def _files(root: Path) -> list[tuple[Path, int]]:
    """Files of this cache alone: in folders of its versions, whatever else is there."""
    found = []
    for path in root.glob("v[0-9]*/[0-9a-f][0-9a-f]/*"):
        try:
            found.append((path, path.stat().st_size))
        except OSError:
            continue
    return found
