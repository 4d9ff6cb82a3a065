"""Rules about requests: each combination of choice, format, strictness and parser."""

import json

import pytest

from structag_cli.formats.registry import grammar_for
from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings

PARAMETERS = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}
JSON = {"type": "json_object"}
NAMED = {"type": "function", "function": {"name": "f"}}


def tool(name="f", **more):
    function = {"name": name, "description": "Do it.", "parameters": PARAMETERS, **more}
    return {"type": "function", "function": function}


def codes(folder, parser=None, **request):
    path = folder / "request.json"
    messages = [{"role": "user", "content": "hi"}]
    path.write_text(json.dumps({"messages": messages, **request}))
    grammar = grammar_for(parser) if parser else None
    settings = Settings(parser=parser, grammar=grammar, deep=False)
    return {(f.code, f.severity.word) for f in lint([str(path)], settings, Selection(("R",)))}


CASES = {
    "forced without tools": ({"tool_choice": "required"}, None, {("R001", "error")}),
    "forced with an empty list": (
        {"tool_choice": "required", "tools": []},
        None,
        {("R001", "error")},
    ),
    "another tool named": (
        {"tool_choice": {"type": "function", "function": {"name": "g"}}, "tools": [tool()]},
        None,
        {("R002", "error")},
    ),
    "the tool named": ({"tool_choice": NAMED, "tools": [tool()]}, None, set()),
    "format and required": (
        {"tool_choice": "required", "tools": [tool()], "response_format": JSON},
        None,
        {("R003", "warning")},
    ),
    "format and a name": (
        {"tool_choice": NAMED, "tools": [tool()], "response_format": JSON},
        None,
        {("R003", "warning")},
    ),
    "format and auto": ({"tools": [tool()], "response_format": JSON}, None, {("R003", "info")}),
    "format and none": (
        {"tools": [tool()], "tool_choice": "none", "response_format": JSON},
        None,
        set(),
    ),
    "text and required": (
        {"tool_choice": "required", "tools": [tool()], "response_format": {"type": "text"}},
        None,
        set(),
    ),
    "one call, no tools": ({"parallel_tool_calls": False}, None, {("R004", "info")}),
    "one call, a parser with a tag": (
        {"parallel_tool_calls": False, "tools": [tool(strict=True)]},
        "qwen3_coder",
        set(),
    ),
    "one call, a parser without": (
        {"parallel_tool_calls": False, "tools": [tool()]},
        "mistral",
        {("R004", "warning")},
    ),
    "one call forced, a parser without": (
        {"parallel_tool_calls": False, "tools": [tool()], "tool_choice": "required"},
        "mistral",
        {("R004", "warning")},
    ),
    "one call named, a parser without": (
        {"parallel_tool_calls": False, "tools": [tool()], "tool_choice": NAMED},
        "mistral",
        set(),
    ),
    "strict, a parser without": ({"tools": [tool(strict=True)]}, "mistral", {("R005", "warning")}),
    "strict beside not": (
        {"tools": [tool(strict=True), tool("g")]},
        "qwen3_coder",
        {("R006", "info")},
    ),
    "strict false beside strict": (
        {"tools": [tool(strict=True), tool("g", strict=False)]},
        "qwen3_coder",
        {("R006", "info")},
    ),
    "forced, none strict": (
        {"tools": [tool()], "tool_choice": "required"},
        "qwen3_coder",
        {("R006", "info")},
    ),
    "auto, none strict": ({"tools": [tool()]}, "qwen3_coder", set()),
    "none, a parser with a ban": ({"tools": [tool()], "tool_choice": "none"}, "qwen3_coder", set()),
    "none, a parser without": (
        {"tools": [tool()], "tool_choice": "none"},
        "mistral",
        {("R007", "info")},
    ),
}


@pytest.mark.parametrize(("request_", "parser", "wanted"), CASES.values(), ids=CASES)
def test_each_combination(request_, parser, wanted, tmp_path):
    assert codes(tmp_path, parser, **request_) == wanted


def test_a_list_of_requests_is_read_one_by_one(tmp_path):
    path = tmp_path / "requests.json"
    fine = {"messages": [], "tools": [tool()]}
    path.write_text(json.dumps([fine, {**fine, "tools": [], "tool_choice": "required"}]))
    (found,) = lint([str(path)], Settings(deep=False), Selection(("R",)))
    assert (found.code, found.place.pointer) == ("R001", "/1/tool_choice")
