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


def read_outputs(paths: list[str]) -> Iterator[tuple[str, str | InputError]]:
    """The outputs of all files, each with a name; or why one cannot be read.

    What cannot be read, a file or a line of a log, costs none of the others.
    """
    for path in paths:
        read = _log if Path(path).suffix.lower() in _LOGS else _whole
        try:
            yield from read(path)
        except InputError as err:
            yield path, err


def together(errors: list[InputError]) -> InputError:
    """One error for what cannot be read."""
    if len(errors) == 1:
        return errors[0]
    return InputError(f"{len(errors)} outputs cannot be read, the first: {errors[0]}")


def _whole(path: str) -> Iterator[tuple[str, str | InputError]]:
    yield path, read_text(path)


def _log(path: str) -> Iterator[tuple[str, str | InputError]]:
    for number, row in iter_jsonl(path):
        found = row if isinstance(row, InputError) else _output_of(row.value)
        if found is None:
            found = InputError(
                "a line without an output",
                place=Place(path, number, 1),
                mend=f"a JSON string, or an object with one of {', '.join(_FIELDS)}",
            )
        yield f"{path}:{number}", found


def _output_of(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    if not isinstance(value, dict):
        return None
    return next((value[key] for key in _FIELDS if isinstance(value.get(key), str)), None)
