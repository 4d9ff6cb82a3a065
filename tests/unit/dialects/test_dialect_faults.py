"""What is wrong with tools and requests is said with file, line, column and pointer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from structag_cli.dialects import read_tool_request, tool_request_from_value
from structag_cli.errors import InputError
from structag_cli.request import Dialect
from structag_cli.sources.json_source import parse_json
from structag_cli.sources.yaml_source import parse_yaml


def fault(text: str, dialect: Dialect | None = None) -> str:
    with pytest.raises(InputError) as caught:
        read_tool_request(parse_json(text, "x.json"), dialect=dialect)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def function(fields: str) -> str:
    return f'[{{"type": "function",\n "function": {{{fields}}}}}]'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"tools"', "x.json:1:1: a string where a tool list or a request is expected"),
        ("null", "x.json:1:1: null where a tool list"),
        ("[[1]]", "x.json:1:2 (at /0): a tool is a list, not an object"),
        ('[{"type":\n"function", "function": []}]', "x.json:2:25 (at /0/function): function is"),
        (function(""), "x.json:2:14 (at /0/function): a tool without a name"),
        (function('"name": null'), "x.json:2:14 (at /0/function): a tool without a name"),
        (function('"name": 3'), "x.json:2:23 (at /0/function/name): name is a number"),
        (
            function('"name": "f",\n"parameters": []'),
            "x.json:3:15 (at /0/function/parameters): Function parameters at index 0 "
            'for "f" must be a JSON Schema object (it is a list)',
        ),
        (
            function('"name": "f", "parameters": true'),
            "x.json:2:42 (at /0/function/parameters): Function parameters at index 0",
        ),
        (
            '[{"name": "a", "input_schema": {}},\n {"name": "b", "input_schema": "{}"}]',
            "x.json:2:32 (at /1/input_schema): Function parameters at index 1 "
            'for "b" must be a JSON Schema object',
        ),
        (
            function('"name": "f", "strict": "true"'),
            "x.json:2:38 (at /0/function/strict): strict is a string, not true or false",
        ),
        (function('"name": "f", "strict": 1'), "x.json:2:38 (at /0/function/strict): strict"),
        (function('"name": "f", "description": 1'), "x.json:2:43 (at /0/function/description)"),
        (
            '[{"foo": 1}]',
            "x.json:1:2 (at /0): not a tool of any known dialect (known: openai-chat, "
            "openai-responses, anthropic, mcp; --dialect says which)",
        ),
        ('{"type": "object", "properties": {}}', "x.json:1:1: not a tool of any known dialect"),
        (
            '[{"name": "a", "inputSchema": {}},\n{"type": "function", "function": {}}]',
            "x.json:2:1 (at /1): a tool in dialect openai-chat among mcp tools "
            "(the first at x.json:1:2 (at /0)) (write all in one dialect)",
        ),
        ('{"messages": [],\n "tools": {}}', "x.json:2:11 (at /tools): tools is an object"),
        ('{"messages": {}}', "x.json:1:14 (at /messages): messages is an object, not a list"),
        ('{"messages": [1]}', "x.json:1:15 (at /messages/0): a message is a number"),
        ('{"input": 1}', "x.json:1:11 (at /input): input is a number, not a list"),
        (
            '{"messages": [], "parallel_tool_calls": "no"}',
            "x.json:1:41 (at /parallel_tool_calls): parallel_tool_calls is a string",
        ),
        (
            '{"messages": [], "response_format": {"type": "xml"}}',
            "x.json:1:37 (at /response_format): unknown response_format type 'xml' (text, json",
        ),
        (
            '{"messages": [], "response_format": "text"}',
            "x.json:1:37 (at /response_format): response_format is a string",
        ),
        (
            '{"messages": [], "response_format": {"type": "json_schema"}}',
            "x.json:1:37 (at /response_format): response_format has no json_schema",
        ),
        (
            '{"messages": [], "response_format": {"type": "structural_tag"}}',
            "x.json:1:37 (at /response_format): the request already carries a structural tag",
        ),
        ('{"jsonrpc": "2.0", "error": {}}', "x.json:1:29 (at /error): the MCP answer is an error"),
        ('{"jsonrpc": "2.0"}', "x.json:1:1 (at /result): the MCP result is null"),
        ('{"result": {"tools": 1}}', "x.json:1:12 (at /result): the MCP result has no tools"),
    ],
)
def test_faults(text: str, message: str) -> None:
    assert fault(text).startswith(message)


@pytest.mark.parametrize(
    ("choice", "pointer", "message"),
    [
        ('"sometimes"', "/tool_choice", "unknown tool_choice 'sometimes' (auto, none, required"),
        ("true", "/tool_choice", "tool_choice is true or false"),
        ("[]", "/tool_choice", "tool_choice is a list"),
        ("{}", "/tool_choice", "tool_choice has no type"),
        ('{"type": ["function"]}', "/tool_choice", "unknown tool_choice type ['function']"),
        ('{"type": "function"}', "/tool_choice", "tool_choice names no tool"),
        ('{"type": "tool", "name": 1}', "/tool_choice", "tool_choice names no tool"),
        ('{"type": "function", "function": 1}', "/tool_choice/function", "function is a number"),
        ('{"type": "function", "function": {}}', "/tool_choice/function", "tool_choice names no"),
        ('{"type": "allowed_tools"}', "/tool_choice/tools", "the tools of allowed_tools is null"),
        (
            '{"type": "allowed_tools", "allowed_tools": {"mode": "none", "tools": []}}',
            "/tool_choice/allowed_tools",
            "allowed_tools has mode 'none' (mode is auto or required)",
        ),
        (
            '{"type": "allowed_tools", "tools": [{"type": "function"}]}',
            "/tool_choice/tools/0",
            "tool_choice names no tool",
        ),
        (
            '{"type": "auto", "disable_parallel_tool_use": "yes"}',
            "/tool_choice/disable_parallel_tool_use",
            "disable_parallel_tool_use is a string, not true or false",
        ),
    ],
)
def test_tool_choice_faults(choice: str, pointer: str, message: str) -> None:
    found = fault(f'{{"messages": [],\n"tool_choice": {choice}}}')
    assert found.startswith("x.json:2:")
    assert f"(at {pointer}): {message}" in found


@pytest.mark.parametrize(
    ("dialect", "message"),
    [
        ("openai-chat", "x.json:1:2 (at /0): a tool without a function (OpenAI chat tools are"),
        ("mcp", None),
    ],
)
def test_a_forced_dialect_that_does_not_fit(dialect: Dialect, message: str | None) -> None:
    text = '[{"name": "a", "inputSchema": {}}]'
    if message is None:
        assert read_tool_request(parse_json(text, "x.json"), dialect=dialect).tools
    else:
        assert fault(text, dialect).startswith(message)


def test_places_in_yaml() -> None:
    text = "tools:\n  - type: function\n    function:\n      name: f\n      strict: yes\n"
    with pytest.raises(InputError) as caught:
        read_tool_request(parse_yaml(text, "x.yaml"))
    assert str(caught.value).startswith("x.yaml:5:15 (at /tools/0/function/strict): strict is")


@pytest.mark.parametrize("value", [{"messages": [], "tools": [{}]}, [{"name": 3}], 3])
def test_without_a_document_the_place_is_a_pointer(value: Any) -> None:
    with pytest.raises(InputError) as caught:
        tool_request_from_value(json.loads(json.dumps(value)), "log")
    assert caught.value.place is not None
    assert (caught.value.place.file, caught.value.place.line) == ("log", None)
