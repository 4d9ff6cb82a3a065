"""Findings as SARIF 2.1.0, for code scanning."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import PurePath
from typing import Any, TextIO
from urllib.parse import quote

from structag_cli import __version__
from structag_cli.findings import DOCS, Finding, Severity
from structag_cli.lint.registry import rules
from structag_cli.lint.rule import Rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def print_sarif(findings: Iterable[Finding], stream: TextIO) -> None:
    """One run, all rules described."""
    known = list(rules().values())
    index = {rule.code: number for number, rule in enumerate(known)}
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "structag",
                        "version": __version__,
                        "informationUri": DOCS,
                        "rules": [_rule(rule) for rule in known],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, index) for finding in findings],
            }
        ],
    }
    stream.write(json.dumps(log, indent=2, ensure_ascii=False) + "\n")


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.why},
        "help": {"text": rule.mend},
        "helpUri": f"{DOCS}{rule.code}/",
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(finding: Finding, index: dict[str, int]) -> dict[str, Any]:
    message = finding.message + (f"\nMend: {finding.mend}" if finding.mend else "")
    properties: dict[str, Any] = {"pointer": finding.place.pointer}
    if finding.effect:
        properties["effect"] = finding.effect
    if finding.witness is not None:
        properties["witness"] = finding.witness.to_json()
        message += f"\nWitness: {finding.witness.text[:400]}"
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": _LEVELS[finding.severity],
        "message": {"text": message},
        "locations": [{"physicalLocation": _location(finding)}],
        "partialFingerprints": {"structag/v1": finding.fingerprint},
        "properties": properties,
    }
    if finding.code in index:
        result["ruleIndex"] = index[finding.code]
    return result


def _location(finding: Finding) -> dict[str, Any]:
    place = finding.place
    path = "stdin" if place.file == "-" else PurePath(place.file).as_posix()
    location: dict[str, Any] = {"artifactLocation": {"uri": quote(path, errors="surrogateescape")}}
    if place.line is not None:
        location["region"] = {"startLine": place.line, "startColumn": place.column or 1}
    return location
