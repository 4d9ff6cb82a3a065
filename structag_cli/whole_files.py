"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def replace_bytes(
    target: Path, data: bytes, prefix: str, prepare: Callable[[str], None] | None = None
) -> None:
    """Put a file in the place of what is there, by way of one beside it.

    Args:
        target: the file; its folder must be there.
        data: its content.
        prefix: how the name of the file beside it begins.
        prepare: called with that file's name before it takes the place (mode, owner).

    Raises:
        OSError: it cannot be written; what was there is left, and nothing beside it.
    """
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=prefix)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        if prepare is not None:
            prepare(name)
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
