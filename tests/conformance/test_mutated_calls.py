"""Right calls of the tool corpus with one argument made wrong: refused, and at that argument.

Every mutation is one that JSON Schema forbids. Where the tag refuses it, the byte must lie in
the mutated part of the text; where the tag lets it through, the verdict on the call must name
the argument. Texts of XML styles have no quotes: a mutation that reads back as a valid call
(`17` for a string) is none, and is counted apart.
"""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from structag_cli.checking.check import Checked, Checker
from structag_cli.dialects import read_tools
from structag_cli.pipeline import answer
from structag_cli.policy.settings import Deployment
from structag_cli.reader import Call, render_calls
from structag_cli.request import ToolChoice, ToolRequest
from structag_cli.sources import Document
from tests.conformance.test_tool_corpus import FULL, PARSERS, SAMPLE, declared

pytestmark = pytest.mark.conformance

EVERY = int(os.environ.get("STRUCTAG_EVERY", "1" if FULL else "30"))
OTHERS = ("zz-none", 17, 2.5, True, None, [], {"zz": 1})
ABSENT = object()


def closed(schema: Any) -> Any:
    """The schema with all its objects closed, so that an extra property is forbidden."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: closed(item) for key, item in schema.items()}
    if isinstance(schema.get("properties"), dict):
        found["additionalProperties"] = False
    return found


def places(value: Any, schema: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths to the arguments and to what is in them, where the schema says what they are."""
    known = schema.get("properties") or {} if isinstance(schema, dict) else {}
    if isinstance(value, dict):
        for name in known:
            if name in value:
                yield (*path, name)
                yield from places(value[name], known[name], (*path, name))
    elif isinstance(value, list) and value and isinstance(schema, dict):
        yield (*path, 0)
        yield from places(value[0], schema.get("items"), (*path, 0))


def with_one(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A copy in which one place holds something else, or nothing."""
    result = deepcopy(value)
    inner = result
    for key in path[:-1]:
        inner = inner[key]
    if new is ABSENT:
        del inner[path[-1]]
    else:
        inner[path[-1]] = new
    return result


def mutations(arguments: Any, schema: Any) -> Iterator[tuple[str, tuple[Any, ...], Any]]:
    """What was done, where, and the arguments; each forbidden by the schema."""
    judge = Draft202012Validator(schema)
    extra = ("zz_extra",)
    tried = [("extra property", extra, with_one(arguments, extra, 1))]
    for path in places(arguments, schema):
        if isinstance(path[-1], str):
            tried.append(("missing", path, with_one(arguments, path, ABSENT)))
        tried += [(f"{new!r} instead", path, with_one(arguments, path, new)) for new in OTHERS]
    for what, path, mutated in tried:
        if not judge.is_valid(mutated):
            yield what, path, mutated


def parts(right: bytes, wrong: bytes) -> tuple[int, int]:
    """From the first byte that differs to the last one that can tell.

    That is the end of what differs. Where text is gone it is the first byte that parts from
    the right text again, white space aside: ``</f`` may stand for ``</p`` up to there.
    """
    start = shared_start(right, wrong)
    same = shared_start(right[start:][::-1], wrong[start:][::-1])
    rest, wanted = wrong[start:].lstrip(), right[start:].lstrip()
    blank = len(wrong) - start - len(rest)
    return start, max(len(wrong) - same, start + blank + shared_start(rest, wanted))


def shared_start(one: bytes, other: bytes) -> int:
    """How many bytes two texts share at their start."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


class Case:
    def __init__(self, row: dict[str, Any], parser: str) -> None:
        rows = [
            {**t, "function": {**t["function"], "parameters": closed(t["function"]["parameters"])}}
            for t in row["tools"]
        ]
        tools = read_tools(Document(rows, row["id"]))
        request = ToolRequest(tools, ToolChoice("required"))
        self.checker = Checker(
            request, answer(request, Deployment(parser, scope="always", schema="strict"))
        )
        self.schemas = {tool.name: tool.parameters for tool in tools}
        first = row["calls"][0]
        schema = self.schemas[first["name"]]
        self.call = Call(first["name"], declared(first["arguments"], schema))

    def text(self, arguments: Any) -> str:
        grammar = self.checker.grammar
        text = render_calls(grammar, [Call(self.call.name, arguments)], schemas=self.schemas)
        return text.removeprefix(grammar.lead)

    def outcomes(self) -> Iterator[str]:
        right = self.text(self.call.arguments)
        if not self.checker.check(right).passed:
            yield "the right call is refused"
            return
        schema = self.schemas[self.call.name]
        for what, path, mutated in mutations(self.call.arguments, schema):
            wrong = self.text(mutated)
            found = self.checker.check(wrong)
            yield self.outcome(found, right, wrong, (what, path))

    def outcome(self, found: Checked, right: str, wrong: str, what: Any) -> str:
        if found.position is not None:
            start, end = parts(right.encode(), wrong.encode())
            assert start <= found.position.byte <= end, (what, wrong, found.position)
            assert not found.passed
            return "refused there"
        if all(call.valid for call in found.calls):
            return "reads as a right one"
        assert not found.passed
        errors = [error for call in found.calls for error in call.errors]
        path = "/" + "/".join(map(str, what[1]))
        parent = path.rpartition("/")[0] or "/"
        assert any(e.startswith((path, f"{parent}:")) for e in errors), (what, wrong, errors)
        return "named by the verdict"


def seen(rows: list[dict[str, Any]], parser: str) -> Counter[str]:
    return Counter(each for row in rows if row["calls"] for each in Case(row, parser).outcomes())


@pytest.mark.parametrize("parser", PARSERS)
def test_each_is_refused_at_its_argument(shared: Path, parser: str) -> None:
    with gzip.open(shared / "tool-corpus" / "bfcl.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][::EVERY]
    found = seen(rows, parser)
    wrong = found["refused there"] + found["named by the verdict"]
    assert wrong > 5 * len(rows), found
    assert found["the right call is refused"] <= 0.02 * len(rows) + 1, found
    assert found["refused there"] >= 0.9 * wrong, found


@pytest.mark.parametrize("parser", PARSERS)
def test_the_sample_in_the_repository(parser: str) -> None:
    rows = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    assert seen(rows[:8], parser)["refused there"] > 20
