"""Findings as JUnit XML: a suite a file, a failure a finding."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TextIO
from xml.etree import ElementTree as Xml

from structag_cli.findings import Finding
from structag_cli.lint.report.text import text_of

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def print_junit(findings: Iterable[Finding], stream: TextIO) -> None:
    """One ``testsuites`` element."""
    by_file: dict[str, list[Finding]] = {}
    for finding in findings:
        by_file.setdefault(finding.place.file, []).append(finding)
    total = sum(map(len, by_file.values()))
    root = Xml.Element("testsuites", name="structag lint", tests=str(total), failures=str(total))
    for file, own in by_file.items():
        count = str(len(own))
        name = _clean(file)
        suite = Xml.SubElement(root, "testsuite", name=name, tests=count, failures=count)
        for finding in own:
            where = f"{file}:{finding.place.line or 1}:{finding.place.column or 1}"
            title = f"{finding.code} {finding.rule} {where}"
            case = Xml.SubElement(suite, "testcase", name=_clean(title), classname=name)
            failure = Xml.SubElement(case, "failure", message=_clean(finding.message))
            failure.set("type", finding.severity.word)
            failure.text = _clean(text_of(finding))
    Xml.indent(root)
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    stream.write(Xml.tostring(root, encoding="unicode") + "\n")


def _clean(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
