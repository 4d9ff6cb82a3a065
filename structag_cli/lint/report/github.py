"""Findings as workflow commands, which the GitHub runner turns into annotations."""

from __future__ import annotations

from collections.abc import Iterable
from os.path import normpath
from typing import TextIO

from structag_cli.findings import Finding, Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def print_github(findings: Iterable[Finding], stream: TextIO) -> None:
    """One command a finding."""
    for finding in findings:
        stream.write(command_of(finding) + "\n")


def command_of(finding: Finding) -> str:
    """``::error file=...,line=...,col=...,title=...::message``, escaped as the runner asks.

    The file is named as the repository names it, without a leading ``./``.
    """
    place = finding.place
    fields = {"file": normpath(place.file), "line": place.line, "col": place.column}
    fields["title"] = f"{finding.code} {finding.rule}"
    given = ",".join(f"{k}={_property(str(v))}" for k, v in fields.items() if v is not None)
    message = finding.message
    if finding.witness is not None:
        message += f"\nwitness: {finding.witness.text[:400]}"
    if finding.mend:
        message += f"\nmend: {finding.mend}"
    return f"::{_COMMANDS[finding.severity]} {given}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
