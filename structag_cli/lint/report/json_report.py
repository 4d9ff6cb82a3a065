"""Findings as one JSON object."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import TextIO

from structag_cli.findings import Finding
from structag_cli.lint.run import Counts

VERSION = 1


def print_json(findings: Iterable[Finding], counts: Counts, stream: TextIO) -> None:
    """Print ``{"version", "findings", "summary"}``; findings as they come."""
    stream.write(f'{{"version": {VERSION}, "findings": [')
    severities: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    for index, finding in enumerate(findings):
        severities[finding.severity.word] += 1
        codes[finding.code] += 1
        stream.write(",\n" if index else "\n")
        stream.write(json.dumps(finding.to_json(), ensure_ascii=False, allow_nan=False))
    summary = {
        "files": counts.files,
        "subjects": counts.subjects,
        "kinds": counts.kinds,
        "severities": dict(severities),
        "codes": dict(sorted(codes.items())),
    }
    stream.write(f'\n], "summary": {json.dumps(summary)}}}\n')
