"""Known findings: a file of fingerprints, as many of each as later runs leave out."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable
from os.path import normpath

from structag_cli.errors import InputError
from structag_cli.findings import Finding
from structag_cli.sources import read_document

VERSION = 2

Known = dict[str, float]
"""How many findings of each fingerprint are known."""


def read_baseline(path: str) -> Known:
    """The fingerprints in a baseline, and how many of each.

    Version 1 is a list, which knows no numbers: any number of each is known.

    Raises:
        InputError: it is no baseline.
    """
    document = read_document(path, kind="json")
    value = document.value
    known = value.get("known") if isinstance(value, dict) else None
    if isinstance(known, list) and all(isinstance(each, str) for each in known):
        known = dict.fromkeys(known, math.inf)
    if not isinstance(known, dict) or not all(map(_is_number, known.values())):
        mend = "write one with --write-baseline"
        raise InputError("not a baseline", place=document.locate(""), mend=mend)
    found: Known = {}
    for fingerprint, count in known.items():
        name = _normal(fingerprint)
        found[name] = found.get(name, 0) + count
    return found


def _is_number(count: object) -> bool:
    return isinstance(count, (int, float)) and not isinstance(count, bool) and count > 0


def _normal(known: str) -> str:
    """The fingerprint with its file's name as new ones have it."""
    file, mark, rest = known.partition("|")
    return normpath(file) + mark + rest


def write_baseline(path: str, findings: Iterable[Finding]) -> int:
    """Write the fingerprints of findings; how many findings there are.

    Raises:
        InputError: the file cannot be written.
    """
    from structag_cli.commands.output import write

    known = Counter(finding.fingerprint for finding in findings)
    value = {"version": VERSION, "known": known}
    write(json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True), path)
    return known.total()
