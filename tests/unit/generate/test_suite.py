"""Suites: rows, expected calls, resuming, and one failure that costs no other row its result."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structag_cli.errors import EngineError, InputError
from structag_cli.generate.result import Generation, Stats
from structag_cli.generate.suite import Store, Suite, read_cases
from structag_cli.generate.suite.cases import ExpectedCall
from structag_cli.generate.suite.compare import canonical, right_arguments, right_tools
from structag_cli.generate.suite.record import Record
from structag_cli.generate.suite.report import REPORTS
from structag_cli.generate.suite.summary import summarize
from structag_cli.reader.verdicts import CallVerdict, Honours

TOOLS = [{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}}}]
STATS = Stats(10, 5, 6, 4, 0, 2, 0, 0, {}, 1.0, 1.0)


def row(**more: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": "go"}], "tools": TOOLS, **more}


def suite_file(folder: Any, *rows: Any) -> str:
    path = folder / "suite.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows))
    return str(path)


def generation(*calls: CallVerdict, **more: Any) -> Generation:
    return replace(
        Generation(
            text="text",
            token_ids=(1,),
            finish_reason="stop",
            accepted=True,
            content="",
            calls=calls,
            honours=Honours(True, True, ()),
            problems=(),
            segments=(),
            stats=STATS,
        ),
        **more,
    )


class Model:
    """Answers each job with a call of ``f``; ``bad`` jobs bring their whole batch down."""

    def __init__(self, bad: Any = ()) -> None:
        self.bad = set(bad)
        self.batches: list[list[str]] = []

    def __call__(self, jobs: Any, streams: Any) -> list[Generation]:
        self.batches.append(list(jobs))
        if self.bad & set(jobs):
            raise EngineError("this one cannot be compiled")
        return [generation(CallVerdict("f", {"a": 1}, ())) for _ in jobs]


def run(suite: Suite, model: Model, store: Store | None = None) -> list[tuple[Record, bool]]:
    return list(suite.run(lambda case: case.id, model, store or Store()))  # type: ignore[arg-type,return-value]


def test_rows_of_every_shape(tmp_path):
    path = suite_file(
        tmp_path,
        row(id="one", expected=[{"name": "f", "arguments": {"a": 1}}]),
        {"request": row(), "calls": []},
        row(expected_calls=[{"name": "f", "arguments": '{"a": 1}'}]),
    )
    one, two, three = read_cases(path)
    assert one.id == "one"
    assert one.expected == (ExpectedCall("f", {"a": 1}),) == three.expected
    assert two.expected == ()
    assert two.request.tools is not None


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "no"),
        ("[1]\n", "suite.jsonl:1"),
        ('{"messages": [}\n', "suite.jsonl:1"),
        (json.dumps(row(id="x")) + "\n" + json.dumps(row(id="x")) + "\n", "suite.jsonl:2"),
        (json.dumps(row(expected=5)) + "\n", "suite.jsonl:1"),
        (json.dumps(row(expected=[{"arguments": {}}])) + "\n", "suite.jsonl:1"),
        (json.dumps(row(expected=[{"name": "g", "arguments": {}}])) + "\n", "no such tool"),
        (json.dumps(row(messages=[{"content": "x"}])) + "\n", "without a role"),
        (json.dumps(row(messages=[{"role": "user", "content": 5}])) + "\n", "is a number"),
    ],
)
def test_a_bad_row_is_named(tmp_path, lines, message):
    path = tmp_path / "suite.jsonl"
    path.write_text(lines)
    with pytest.raises(InputError) as caught:
        read_cases(str(path))
    assert message in str(caught.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=8,
)


@given(value=st.dictionaries(st.text(max_size=3), JSON, max_size=4))
def test_equal_arguments_are_right_in_any_order_of_keys(value):
    turned = dict(reversed(value.items()))
    assert canonical(turned) == canonical(value)
    assert right_arguments([CallVerdict("f", turned, ())], [ExpectedCall("f", value)])


@pytest.mark.parametrize(("one", "other"), [(1, True), (0, False), ("1", 1), ([], {}), (None, "")])
def test_values_of_other_types_are_not_equal(one, other):
    assert canonical({"a": one}) != canonical({"a": other})


def test_whole_floats_are_integers():
    assert canonical({"a": 1.0}) == canonical({"a": 1})


def test_calls_are_compared_as_often_as_they_are_made():
    call, other = CallVerdict("f", {"a": 1}, ()), CallVerdict("g", {}, ())
    wanted = [ExpectedCall("g", {}), ExpectedCall("f", {"a": 1})]
    assert right_tools([call, other], wanted)
    assert right_arguments([call, other], wanted)
    assert not right_tools([call, call], [ExpectedCall("f", {"a": 1})])
    assert right_tools([CallVerdict("f", {"a": 2}, ())], wanted[1:])
    assert not right_arguments([CallVerdict("f", {"a": 2}, ())], wanted[1:])


def test_one_bad_row_costs_no_other_its_result(tmp_path):
    cases = read_cases(suite_file(tmp_path, *(row(id=f"r{n}") for n in range(5))))
    model = Model(bad={"r1"})
    records = [record for record, _ in run(Suite(cases, {}, batch=4), model)]
    assert [record.error is None for record in records] == [True, False, True, True, True]
    assert "cannot be compiled" in (records[1].error or "")
    assert model.batches == [["r0", "r1", "r2", "r3"], ["r0"], ["r1"], ["r2"], ["r3"], ["r4"]]


def test_a_second_run_makes_only_what_is_missing(tmp_path):
    cases = read_cases(suite_file(tmp_path, *(row(id=f"r{n}") for n in range(3))))
    results = tmp_path / "results.jsonl"
    run(Suite(cases, {"seed": 1}), Model(bad={"r1"}), Store(str(results)))
    whole = results.read_bytes()
    results.write_bytes(whole + b'{"version": 1, "key": "cut')  # stopped in the middle of a line
    model = Model()
    found = run(Suite(cases, {"seed": 1}), model, Store(str(results)))
    assert model.batches == [["r1"]]
    assert sorted((record.id, new) for record, new in found) == [
        ("r0", False),
        ("r1", True),
        ("r2", False),
    ]
    assert results.read_bytes().startswith(whole)
    assert all(json.loads(line) for line in results.read_text().splitlines())
    other = Model()
    run(Suite(cases, {"seed": 2}), other, Store(str(results)))
    assert len(other.batches) == 3, "other settings are another run"


def test_a_row_that_changed_is_run_again(tmp_path):
    results = str(tmp_path / "results.jsonl")
    run(Suite(read_cases(suite_file(tmp_path, row(id="x"))), {}), Model(), Store(results))
    changed = read_cases(suite_file(tmp_path, row(id="x", tool_choice="required")))
    model = Model()
    run(Suite(changed, {}), model, Store(results))
    assert model.batches == [["x"]]


def test_another_file_is_no_results_file(tmp_path):
    path = tmp_path / "notes.jsonl"
    path.write_text('{"hello": 1}\n')
    with pytest.raises(InputError, match="not a line of a results file"):
        Store(str(path))
    assert path.read_text() == '{"hello": 1}\n'


def records(tmp_path: Any) -> list[Record]:
    expected = [{"name": "f", "arguments": {"a": 1}}]
    cases = read_cases(
        suite_file(
            tmp_path,
            row(id="<b>|right", expected=expected),
            row(id="wrong", expected=[{"name": "f", "arguments": {"a": 2}}]),
            row(id="none expected"),
            row(id="bad"),
        )
    )
    return [record for record, _ in run(Suite(cases, {}), Model(bad={"bad"}))]


def test_figures(tmp_path):
    found = summarize(records(tmp_path)).to_json()
    assert (found["outputs"], found["errors"], found["tokens"]) == (4, 1, 30)
    assert found["format_valid"] == {"passed": 3, "judged": 3, "share": 1.0}
    assert found["right_tools"] == {"passed": 2, "judged": 2, "share": 1.0}
    assert found["right_arguments"] == {"passed": 1, "judged": 2, "share": 0.5}
    assert found["forced_share"] == 0.6


def test_reports_hold_every_row_and_escape_it(tmp_path):
    found = records(tmp_path)
    texts = {name: made(found, {"model": "m"}) for name, made in REPORTS.items()}
    value = json.loads(texts["json"])
    assert [each["id"] for each in value["records"]] == [record.id for record in found]
    assert value["summary"]["outputs"] == 4
    assert "<b>" not in texts["html"]
    assert "&lt;b&gt;" in texts["html"]
    HTMLParser().feed(texts["html"])
    tables = [line for line in texts["markdown"].splitlines() if line.startswith("|")]
    bars = {len(line.replace("\\|", "").split("|")) for line in tables if "right" in line}
    assert bars
    assert "1 of 2" in texts["text"]
