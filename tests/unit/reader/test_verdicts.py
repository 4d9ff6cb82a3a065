"""Are calls right, and is the request honoured?"""

from __future__ import annotations

from typing import Any

import pytest

from structag_cli.place import Place
from structag_cli.reader import ReadCall, Reading
from structag_cli.reader.verdicts import honours, judge_calls, schema_errors
from structag_cli.request import Tool, ToolChoice, ToolRequest

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def request(choice: ToolChoice, parallel: bool | None = None) -> ToolRequest:
    tools = tuple(Tool(name, None, SCHEMA, None, Place("x")) for name in ("f", "g"))
    return ToolRequest(tools, choice, parallel)


def reading(*names: str, arguments: Any = None) -> Reading:
    calls = tuple(ReadCall(name, arguments or {"n": 1}, "", (0, 0)) for name in names)
    return Reading("", calls)


@pytest.mark.parametrize(
    ("choice", "parallel", "names", "expected"),
    [
        (ToolChoice("auto"), None, [], (True, True)),
        (ToolChoice("auto"), None, ["f", "g"], (True, True)),
        (ToolChoice("none"), None, [], (True, True)),
        (ToolChoice("none"), None, ["f"], (False, True)),
        (ToolChoice("required"), None, [], (False, True)),
        (ToolChoice("required"), False, ["f"], (True, True)),
        (ToolChoice("required"), False, ["f", "f"], (True, False)),
        (ToolChoice("named", "f"), None, ["f", "f"], (True, True)),
        (ToolChoice("named", "f"), None, ["f", "g"], (False, True)),
        (ToolChoice("named", "f"), None, [], (False, True)),
        (ToolChoice("auto", allowed=("f",)), None, ["g"], (False, True)),
    ],
)
def test_honours(choice: ToolChoice, parallel: Any, names: list[str], expected: Any) -> None:
    found = honours(reading(*names), request(choice, parallel))
    assert (found.tool_choice, found.parallel_tool_calls) == expected
    assert bool(found.why) == (expected != (True, True))


def test_each_call_is_checked() -> None:
    right, unknown = judge_calls(reading("f", "h"), request(ToolChoice("auto")))
    assert right.valid
    assert unknown.errors == ("no tool named 'h'",)
    (wrong,) = judge_calls(reading("f", arguments={"n": "1"}), request(ToolChoice("auto")))
    assert wrong.errors == ("/n: '1' is not of type 'integer'",)


def test_a_schema_that_cannot_judge_says_so() -> None:
    assert schema_errors({}, {"type": "nonsense"})[0].startswith("the schema is invalid")
    assert schema_errors({}, {"$ref": "https://example.com/x"})[0].startswith("the schema cannot")
    assert schema_errors({}, None) == schema_errors({}, True) == ()


def test_errors_name_their_place() -> None:
    schema = {"properties": {"a/b": {"items": {"type": "string"}}}}
    assert schema_errors({"a/b": ["x", 3]}, schema) == ("/a~1b/1: 3 is not of type 'string'",)


def test_formats_are_not_asserted_and_odd_patterns_do_not_spoil_a_schema() -> None:
    schema = {
        "properties": {
            "d": {"format": "date"},
            "p": {"pattern": r"\p{L}"},
            "q": {"pattern": "(?<a"},
        }
    }
    assert schema_errors({"d": "soon"}, schema) == ()
    assert schema_errors({"p": "x"}, schema) == ()
    assert schema_errors({"q": "x"}, schema)[0].startswith("the schema cannot be used")
