"""Where a tokenizer lives: its files, and a digest of what they hold."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from structag_cli.errors import InputError
from structag_cli.place import Place
from structag_cli.tokenizers.vocabulary import Kind, Vocabulary

Encode = Callable[[str], list[int]]
"""Text to ids; markers in the text become their own tokens."""

DIGEST_BYTES = 64 * 1024 * 1024
"""How much of a file is read for its digest: a GGUF's tokenizer stands at its start."""


@dataclass(frozen=True, slots=True)
class Source:
    """A tokenizer that was found.

    ``file`` holds the vocabulary. ``beside`` are the files that add to it, by their
    usual name (``tokenizer_config.json``). ``recipe`` names a packaged tokenizer whose
    markers are known by its package.
    """

    name: str
    kind: Kind
    file: Path
    beside: dict[str, Path] = field(default_factory=dict)
    recipe: str = ""

    def digest(self) -> str:
        """A content address: equal files give equal digests, wherever they lie.

        Raises:
            InputError: a file cannot be read.
        """
        total = hashlib.sha256(f"{self.kind}\0{self.recipe}\0".encode())
        for name, path in sorted({"": self.file, **self.beside}.items()):
            total.update(f"{name}\0{self.file.name if not name else ''}\0".encode())
            total.update(_digest_file(path))
        return total.hexdigest()[:40]


def _digest_file(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            data = stream.read(DIGEST_BYTES)
            size = path.stat().st_size
    except OSError as err:
        raise unreadable(path, err) from None
    return hashlib.sha256(data + size.to_bytes(8, "little")).digest()


def unreadable(path: Path, err: OSError) -> InputError:
    """The error for a file that the system does not let us read."""
    return InputError(f"cannot read: {err.strerror or err}", place=Place(str(path)))


def broken(path: Path, why: str, mend: str = "") -> InputError:
    """The error for a tokenizer file that is not what it should be."""
    return InputError(
        f"broken tokenizer file: {why}",
        place=Place(str(path)),
        mend=mend or "get the file again from where the model came from",
    )


class Loader(Protocol):
    """A module that reads one kind of tokenizer."""

    def read(self, source: Source) -> Vocabulary:
        """The vocabulary.

        Raises:
            InputError: a file is missing, unreadable or broken.
        """
        ...

    def encoder(self, source: Source, vocabulary: Vocabulary) -> Encode:
        """The function that tokenizes text."""
        ...
