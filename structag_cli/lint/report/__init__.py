"""Ways to print findings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from structag_cli.findings import Finding
from structag_cli.lint.run import Counts

FORMATS = ("text", "json", "sarif", "github", "junit")


def report(
    format: str,
    findings: Iterable[Finding],
    counts: Counts,
    stream: TextIO,
    *,
    quiet: bool = False,
    mended: bool = False,
) -> None:
    """Print findings; ``text`` and ``github`` as they come.

    ``mended``: what can be mended has been.
    """
    if format == "text":
        from structag_cli.lint.report.text import print_text

        print_text(findings, counts, stream, quiet=quiet, mended=mended)
    elif format == "github":
        from structag_cli.lint.report.github import print_github

        print_github(findings, stream)
    elif format == "sarif":
        from structag_cli.lint.report.sarif import print_sarif

        print_sarif(findings, stream)
    elif format == "junit":
        from structag_cli.lint.report.junit import print_junit

        print_junit(findings, stream)
    else:
        from structag_cli.lint.report.json_report import print_json

        print_json(findings, counts, stream)
