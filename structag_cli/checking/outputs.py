"""Outputs to check: whole text files, or JSONL logs with one output a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from structag_cli.errors import InputError
from structag_cli.place import Place
from structag_cli.sources import iter_jsonl, read_text

_FIELDS = ("output", "text", "completion", "content", "response")
_LOGS = (".jsonl", ".ndjson")


def read_outputs(paths: list[str]) -> Iterator[tuple[str, str]]:
    """The outputs of all files, each with a name.

    Raises:
        InputError: a file cannot be read, or a line of a log holds no output.
    """
    for path in paths:
        if Path(path).suffix.lower() not in _LOGS:
            yield path, read_text(path)
            continue
        for number, row in iter_jsonl(path):
            if isinstance(row, InputError):
                raise row
            text = _output_of(row.value)
            if text is None:
                raise InputError(
                    "a line without an output",
                    place=Place(path, number, 1),
                    mend=f"a JSON string, or an object with one of {', '.join(_FIELDS)}",
                )
            yield f"{path}:{number}", text


def _output_of(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    if not isinstance(value, dict):
        return None
    return next((value[key] for key in _FIELDS if isinstance(value.get(key), str)), None)
