"""Reads one grammar file and says where and why a file is not one."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from structag_cli.errors import InputError
from structag_cli.formats.check import problems
from structag_cli.formats.model import Grammar
from structag_cli.place import Place

_LARGEST = 4_000_000
"""Bytes; the largest shipped grammar is under 10 kB."""


@cache
def read_grammar(path: Path) -> Grammar:
    """Read and check one grammar file.

    Raises:
        InputError: the file cannot be read, or is not a valid grammar; it names the
            line and the JSON pointer of the fault.
    """
    text = _text(path)
    data = _data(path, text)
    try:
        grammar = msgspec.convert(data, Grammar)
    except msgspec.ValidationError as err:
        from structag_cli.formats.faults import conversion_error

        raise conversion_error(path, text, err) from None
    except RecursionError:
        raise _nested(path) from None
    faults = problems(grammar)
    if faults:
        from structag_cli.formats.faults import check_error

        raise check_error(path, text, faults)
    return grammar


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as err:
        raise InputError(
            f"cannot read: {err.strerror}",
            place=Place(str(path)),
            mend="give the path of a grammar file",
        ) from None
    if len(raw) > _LARGEST:
        raise InputError(
            f"{len(raw)} bytes are too many for a grammar file",
            place=Place(str(path)),
            mend=f"at most {_LARGEST}",
        )
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as err:
        line = raw[: err.start].count(b"\n") + 1
        raise InputError(
            "not UTF-8 text", place=Place(str(path), line), mend="save the file as UTF-8"
        ) from None


def _data(path: Path, text: str) -> Any:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    try:
        root = loader.get_single_node()
        _refuse_doubles(path, root)
        return None if root is None else loader.construct_document(root)
    except RecursionError:
        raise _nested(path) from None
    except (ValueError, OverflowError) as err:  # `!!float x`, a date that there is not
        raise _invalid(path, str(err), None, None) from None
    except yaml.YAMLError as err:
        mark = getattr(err, "problem_mark", None)
        line, column = (None, None) if mark is None else (mark.line + 1, mark.column + 1)
        what = getattr(err, "problem", None) or str(err).splitlines()[0]
        raise _invalid(path, what, line, column) from None


def _invalid(path: Path, what: str, line: int | None, column: int | None) -> InputError:
    return InputError(
        f"invalid YAML: {what}",
        place=Place(str(path), line, column),
        mend="`structag grammar show hermes_nl --format yaml` prints an example",
    )


def _refuse_doubles(path: Path, root: Any) -> None:
    """Refuse a key that stands twice in one mapping: YAML would keep the last silently."""
    waiting, seen = [root], set()
    while waiting:
        node = waiting.pop()
        if node is None or id(node) in seen or node.id == "scalar":
            continue
        seen.add(id(node))
        if node.id == "sequence":
            waiting += node.value
            continue
        keys = set()
        for key, value in node.value:
            if key.id == "scalar" and key.value in keys:
                mark = key.start_mark
                raise InputError(
                    f"the key {key.value!r} stands twice",
                    place=Place(str(path), mark.line + 1, mark.column + 1),
                    mend="keep one",
                )
            keys.add(key.value if key.id == "scalar" else None)
            waiting.append(value)


def _nested(path: Path) -> InputError:
    return InputError("nested too deeply", place=Place(str(path)), mend="a grammar file is flat")
