"""Known findings: a file of fingerprints, which later runs leave out."""

from __future__ import annotations

import json
from collections.abc import Iterable
from os.path import normpath

from structag_cli.errors import InputError
from structag_cli.findings import Finding
from structag_cli.sources import read_document

VERSION = 1


def read_baseline(path: str) -> frozenset[str]:
    """The fingerprints in a baseline.

    Raises:
        InputError: it is no baseline.
    """
    document = read_document(path, kind="json")
    value = document.value
    known = value.get("known") if isinstance(value, dict) else None
    if not isinstance(known, list) or not all(isinstance(each, str) for each in known):
        mend = "write one with --write-baseline"
        raise InputError("not a baseline", place=document.locate(""), mend=mend)
    return frozenset(map(_normal, known))


def _normal(known: str) -> str:
    """The fingerprint with its file's name as new ones have it."""
    file, mark, rest = known.partition("|")
    return normpath(file) + mark + rest


def write_baseline(path: str, findings: Iterable[Finding]) -> int:
    """Write the fingerprints of findings; how many there are.

    Raises:
        InputError: the file cannot be written.
    """
    from structag_cli.commands.output import write

    known = sorted({finding.fingerprint for finding in findings})
    text = json.dumps({"version": VERSION, "known": known}, indent=1, ensure_ascii=False)
    write(text, path)
    return len(known)
