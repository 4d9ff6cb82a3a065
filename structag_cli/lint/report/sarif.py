"""Findings as SARIF 2.1.0, for code scanning."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import PurePath
from typing import Any, TextIO
from urllib.parse import quote

from structag_cli import __version__
from structag_cli.findings import DOCS, Finding, Severity
from structag_cli.lint.fixes.replacements import Replacement, replacements
from structag_cli.lint.registry import rules
from structag_cli.lint.rule import Rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def print_sarif(findings: Iterable[Finding], stream: TextIO) -> None:
    """One run, all rules described."""
    found = list(findings)
    mends = replacements(found)
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
                "results": [
                    _result(finding, index, mends.get(number))
                    for number, finding in enumerate(found)
                ],
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


def _result(
    finding: Finding, index: dict[str, int], mend: list[Replacement] | None
) -> dict[str, Any]:
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
    if mend:
        result["fixes"] = [_fix(finding, mend)]
    return result


def _fix(finding: Finding, mend: list[Replacement]) -> dict[str, Any]:
    """What ``--fix`` would do about one finding."""
    replaced = []
    for each in mend:
        (line, column), (end_line, end_column) = each.start, each.end
        region = {"startLine": line, "startColumn": column}
        region |= {"endLine": end_line, "endColumn": end_column}
        replaced.append({"deletedRegion": region, "insertedContent": {"text": each.text}})
    change = {"artifactLocation": _artifact(finding), "replacements": replaced}
    text = finding.mend or f"mend {finding.code}"
    return {"description": {"text": text}, "artifactChanges": [change]}


def _artifact(finding: Finding) -> dict[str, Any]:
    file = finding.place.file
    path = "stdin" if file == "-" else PurePath(file).as_posix()
    return {"uri": quote(path, errors="surrogateescape")}


def _location(finding: Finding) -> dict[str, Any]:
    place = finding.place
    location: dict[str, Any] = {"artifactLocation": _artifact(finding)}
    if place.line is not None:
        location["region"] = {"startLine": place.line, "startColumn": place.column or 1}
    return location
