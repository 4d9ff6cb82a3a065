"""Every report holds every finding, in the form that its readers parse."""

import io
import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from structag_cli.findings import Finding, Severity, Witness
from structag_cli.lint.report import report
from structag_cli.lint.report.github import command_of
from structag_cli.lint.run import Counts
from structag_cli.place import Place

FINDINGS = [
    Finding(
        "S101",
        "constraint-dropped",
        Severity.WARNING,
        "f: 100% wrong\nsecond line",
        Place("a,b:c.json", 3, 7, "/0/parameters"),
        "mend it",
        "drops",
        "not",
        Witness('{"a": "\x01"}', False, True, {"a": "\x01"}),
    ),
    Finding("E001", "unreadable", Severity.ERROR, "not JSON", Place("-")),
]


def printed(format):
    stream = io.StringIO()
    report(format, FINDINGS, Counts(files=2), stream)
    return stream.getvalue()


def test_text_shows_place_witness_and_mend():
    text = printed("text")
    assert "a,b:c.json:3:7: warning S101 [constraint-dropped]" in text
    assert "forbidden by the schema, accepted by the grammar" in text
    assert "\x01" not in text
    assert "2 findings (1 error, 1 warning, 0 info) in 2 files" in text


def test_what_an_earlier_line_had_is_named_in_one_line(tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"\xef\xbb\xbf{\xff}\r\n{2}\n{3}")
    one = replace(FINDINGS[0], place=Place(str(log), 1, 1, "/tools/0"), message="said")
    found = [replace(one, place=replace(one.place, line=line)) for line in (1, 2, 3)]
    found += [replace(one, place=Place("other", 3, 1, "/tools/0"))]
    stream = io.StringIO()
    report("text", found, Counts(files=1), stream)
    text = stream.getvalue()
    assert text.count("mend: ") == 2
    assert f"{log}:1:1: warning S101 [constraint-dropped] said\n      1 | {{\ufffd}}\n" in text
    assert f"\n{log}:3:1: warning S101 [constraint-dropped] said (as on line 1)\n" in text
    assert "4 findings (0 error, 4 warning, 0 info) in 1 file\n" in text


def test_json_is_versioned():
    value = json.loads(printed("json"))
    assert value["version"] == 1
    assert [f["code"] for f in value["findings"]] == ["S101", "E001"]
    assert value["findings"][0]["witness"]["value"] == {"a": "\x01"}
    assert value["summary"]["severities"] == {"warning": 1, "error": 1}


def parse_command(line):
    """A workflow command, as the runner reads it (actions/runner, ActionCommand.cs)."""
    match = re.fullmatch(r"::(\w+) ?(.*?)::(.*)", line)
    unescaped = {"%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%"}

    def plain(text):
        for code, char in unescaped.items():
            text = text.replace(code, char)
        return text

    fields = dict(part.split("=", 1) for part in match[2].split(",") if part)
    return match[1], {k: plain(v) for k, v in fields.items()}, plain(match[3])


def test_github_as_the_runner_parses_it():
    first, second = printed("github").splitlines()
    kind, fields, message = parse_command(first)
    assert kind == "warning"
    assert fields["file"] == "a,b:c.json"
    assert (fields["line"], fields["col"]) == ("3", "7")
    assert message.startswith("f: 100% wrong\nsecond line\nwitness: ")
    assert parse_command(second)[0] == "error"


def test_github_names_files_as_the_repository_does():
    found = replace(FINDINGS[0], place=Place("./tools/../a.json", 1, 1))
    assert parse_command(command_of(found))[1]["file"] == "a.json"


def test_sarif_describes_every_rule_that_it_uses():
    run = json.loads(printed("sarif"))["runs"][0]
    known = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert known[result["ruleIndex"]]["id"] == result["ruleId"]
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 3,
        "startColumn": 7,
    }


def test_junit_has_a_failure_for_each():
    root = ElementTree.fromstring(printed("junit"))
    assert len(root.findall("./testsuite/testcase/failure")) == 2


@pytest.mark.parametrize("format", ["text", "json", "sarif", "github", "junit"])
def test_no_findings(format):
    stream = io.StringIO()
    report(format, [], Counts(), stream)
    if format in ("json", "sarif"):
        json.loads(stream.getvalue())


def test_a_caret_stands_under_wide_characters(tmp_path):
    file = tmp_path / "wide.json"
    file.write_text('{"日本": "x"}', encoding="utf-8")
    finding = Finding("T001", "no-name", Severity.ERROR, "m", Place(str(file), 1, 8))
    stream = io.StringIO()
    report("text", [finding], Counts(), stream)
    _, source, caret, _ = stream.getvalue().splitlines()
    assert caret.index("^") == source.index('"x"') + 2
