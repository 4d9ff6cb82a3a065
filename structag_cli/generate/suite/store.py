"""A results file: records are added as they come, so that a run can go on where it stopped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from structag_cli.errors import InputError
from structag_cli.generate.suite.record import Record
from structag_cli.place import Place


class Store:
    """The records of a results file, by key; without a path they live in memory.

    Args:
        path: a JSONL file, made if it is missing. A last line that a stopped run left
            unfinished is dropped.

    Raises:
        InputError: the file cannot be used, or holds something else.
    """

    def __init__(self, path: str | None = None) -> None:
        self._path = None if path is None else Path(path)
        self.records: dict[str, Record] = {}
        if self._path is not None:
            self._load(self._path)

    def _load(self, path: Path) -> None:
        try:
            data = path.read_bytes() if path.exists() else b""
            whole = data[: data.rfind(b"\n") + 1]
            for number, line in enumerate(whole.splitlines(), 1):
                record = _record(line, path, number)
                self.records[record.key] = record
            with path.open("ab") as stream:
                stream.truncate(len(whole))
        except OSError as err:
            raise _unusable(path, err) from None

    def add(self, record: Record) -> None:
        """Keep a record, on disk at once."""
        self.records[record.key] = record
        if self._path is None:
            return
        try:
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(record.to_json(), ensure_ascii=False) + "\n")
        except OSError as err:
            raise _unusable(self._path, err) from None


def _record(line: bytes, path: Path, number: int) -> Record:
    try:
        value = json.loads(line)
        if not isinstance(value, Mapping):
            raise TypeError
        return Record.from_json(value)
    except (ValueError, KeyError, TypeError):
        raise InputError(
            "not a line of a results file",
            place=Place(str(path), number),
            mend="--results names a new file, or one that an earlier run wrote",
        ) from None


def _unusable(path: Path, err: OSError) -> InputError:
    return InputError(f"cannot use as results file: {err.strerror}", place=Place(str(path)))
