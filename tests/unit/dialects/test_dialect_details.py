"""What each dialect has of its own: fields, built-in tools, messages, response formats."""

from __future__ import annotations

from typing import Any

import pytest

from structag_cli.dialects import read_tool_request, read_tools, tool_request_from_value
from structag_cli.errors import InputError
from structag_cli.request import Tool, ToolRequest
from structag_cli.sources import Document

WEATHER = {
    "type": "object",
    "properties": {"location": {"type": "string"}},
    "required": ["location"],
}


def read(value: Any, **options: Any) -> ToolRequest:
    return tool_request_from_value(value, "x.json", **options)


def only(request: ToolRequest) -> Tool:
    assert request.tools is not None
    (tool,) = request.tools
    return tool


def warnings_of(value: Any, **options: Any) -> list[str]:
    found: list[str] = []
    read(value, warn=lambda message, place: found.append(f"{place.pointer} {message}"), **options)
    return found


CHAT = {"type": "function", "function": {"name": "get_weather", "parameters": WEATHER}}
RESPONSES = {"type": "function", "name": "get_weather", "parameters": WEATHER, "strict": True}
ANTHROPIC = {"name": "get_weather", "input_schema": WEATHER}
MCP = {
    "name": "get_weather",
    "title": "Weather",
    "description": "d",
    "inputSchema": WEATHER,
    "outputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
}


@pytest.mark.parametrize(
    ("value", "dialect", "pointer"),
    [
        ([CHAT], "openai-chat", "/0/function"),
        (CHAT, "openai-chat", "/function"),
        ({"messages": [], "tools": [CHAT]}, "openai-chat", "/tools/0/function"),
        ({"messages": [], "functions": [CHAT["function"]]}, "openai-chat", "/functions/0"),
        ([RESPONSES], "openai-responses", "/0"),
        ({"input": "hi", "tools": [RESPONSES]}, "openai-responses", "/tools/0"),
        ({"model": "m", "tools": [RESPONSES]}, "openai-responses", "/tools/0"),
        ([ANTHROPIC], "anthropic", "/0"),
        ([{**ANTHROPIC, "type": "custom"}], "anthropic", "/0"),
        ({"system": "s", "messages": [], "tools": [ANTHROPIC]}, "anthropic", "/tools/0"),
        (MCP, "mcp", ""),
        ({"tools": [MCP], "nextCursor": "n"}, "mcp", "/tools/0"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": [MCP]}}, "mcp", "/result/tools/0"),
        ({"result": {"tools": [MCP]}}, "mcp", "/result/tools/0"),
    ],
)
def test_detection_and_places(value: Any, dialect: str, pointer: str) -> None:
    request = read(value)
    tool = only(request)
    assert (request.dialect, tool.place.pointer) == (dialect, pointer)
    assert (tool.name, tool.parameters) == ("get_weather", WEATHER)
    assert tool.place.line is None


@pytest.mark.parametrize(
    ("value", "tools"),
    [
        ({"messages": []}, None),
        ({"messages": [], "tools": None}, None),
        ({"messages": [], "tools": []}, ()),
        ([], ()),
        ({"result": {"tools": []}}, ()),
    ],
)
def test_no_tools_and_an_empty_list_differ(value: Any, tools: Any) -> None:
    assert read(value).tools == tools


@pytest.mark.parametrize("name", ["", " ", "a b", "é", "x" * 500])
def test_names_are_for_the_policy_to_judge(name: str) -> None:
    assert only(read([{"type": "function", "function": {"name": name}}])).name == name


def test_duplicate_names_are_for_the_policy_to_judge() -> None:
    assert [t.name for t in read([CHAT, CHAT]).tools or ()] == ["get_weather", "get_weather"]


def test_a_tool_without_parameters() -> None:
    assert only(read([{"type": "function", "function": {"name": "ping"}}])).parameters is None
    assert only(read([{"name": "ping", "description": "d"}])).parameters is None


@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        ({"type": "web_search"}, "web_search"),
        ({"type": "file_search", "vector_store_ids": ["v"]}, "file_search"),
        ({"type": "mcp", "server_label": "s", "server_url": "u"}, "mcp"),
        ({"type": "code_interpreter", "container": {"type": "auto"}}, "code_interpreter"),
        ({"type": "custom", "name": "c", "format": {"type": "text"}}, "custom"),
        ({"type": "web_search_20250305", "name": "web_search", "max_uses": 5}, None),
        ({"type": "bash_20250124", "name": "bash"}, None),
        ({"type": "computer_20250124", "name": "computer", "display_width_px": 9}, None),
    ],
)
def test_tools_of_the_provider(tool: dict[str, Any], kind: str | None) -> None:
    for own in (RESPONSES, ANTHROPIC, CHAT):
        (warning,) = warnings_of({"messages": [], "tools": [own, tool]})
        assert warning.startswith(f"/tools/1 tool of type {(kind or tool['type'])!r}")
        assert only(read([own, tool])).name == "get_weather"
    assert read([tool]).tools == ()


@pytest.mark.parametrize(
    ("value", "dialect", "warned"),
    [
        ([CHAT], "openai-chat", []),
        ([{"name": "a", "parameters": {}}], "openai-responses", []),
        ([{"name": "a"}], "mcp", []),
        ([{"name": "a", "parameters": {}}], "anthropic", ["/0/parameters parameters is not read"]),
        ([MCP], "anthropic", ["/0/inputSchema inputSchema is not read in dialect anthropic"]),
    ],
)
def test_a_forced_dialect_says_what_it_leaves_unread(
    value: Any, dialect: Any, warned: list[str]
) -> None:
    found = warnings_of(value, dialect=dialect)
    assert len(found) == len(warned)
    assert all(a.startswith(b) for a, b in zip(found, warned, strict=True))
    assert read(value, dialect=dialect).dialect == dialect


@pytest.mark.parametrize(
    ("request_fields", "mode", "name", "parallel"),
    [
        ({}, "auto", None, None),
        ({"tool_choice": None, "parallel_tool_calls": None}, "auto", None, None),
        ({"function_call": "none"}, "none", None, None),
        ({"function_call": {"name": "f"}}, "named", "f", None),
        ({"tool_choice": {"type": "auto"}, "parallel_tool_calls": True}, "auto", None, True),
        ({"tool_choice": {"type": "any", "disable_parallel_tool_use": True}}, "required", 0, False),
        ({"tool_choice": {"type": "auto", "disable_parallel_tool_use": False}}, "auto", 0, True),
        ({"tool_choice": {"type": "none"}}, "none", None, None),
    ],
)
def test_choice_and_parallel_calls(
    request_fields: dict[str, Any], mode: str, name: str | None, parallel: bool | None
) -> None:
    request = read({"messages": [], "tools": [CHAT], **request_fields})
    assert (request.choice.mode, request.choice.name) == (mode, name or None)
    assert request.parallel_tool_calls is parallel
    assert request.choice.given is any(v is not None for v in request_fields.values())


def test_allowed_tools_leaves_the_providers_own_out() -> None:
    choice = {
        "type": "allowed_tools",
        "mode": "auto",
        "tools": [
            {"type": "function", "name": "f"},
            {"type": "mcp", "server_label": "s"},
            {"type": "image_generation"},
        ],
    }
    request = read({"input": "hi", "tools": [RESPONSES], "tool_choice": choice})
    assert request.choice.allowed == ("f",)
    assert request.choice.place is not None
    assert request.choice.place.pointer == "/tool_choice"


SCHEMA_FORMAT = {"type": "json_schema", "name": "n", "schema": {"type": "object"}}


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        (
            {
                "messages": [],
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "n", "schema": {"type": "object"}, "strict": True},
                },
            },
            "/response_format/json_schema",
        ),
        ({"input": "hi", "text": {"format": SCHEMA_FORMAT}}, "/text/format"),
        ({"model": "m", "tools": [], "text": {"format": SCHEMA_FORMAT}}, "/text/format"),
        (
            {"messages": [], "output_config": {"effort": "low", "format": SCHEMA_FORMAT}},
            "/output_config/format",
        ),
        ({"messages": [], "system": "s", "output_format": SCHEMA_FORMAT}, "/output_format"),
    ],
)
def test_response_formats(value: Any, pointer: str) -> None:
    found = read(value).response_format
    assert found is not None
    assert (found.kind, found.name, found.schema) == ("json_schema", "n", {"type": "object"})
    assert found.place is not None
    assert found.place.pointer == pointer


@pytest.mark.parametrize("kind", ["text", "json_object"])
def test_plain_response_formats(kind: str) -> None:
    for value in (
        {"messages": [], "response_format": {"type": kind}},
        {"input": "hi", "text": {"format": {"type": kind}}},
    ):
        found = read(value).response_format
        assert found is not None
        assert (found.kind, found.schema) == (kind, None)
    assert read({"messages": [], "response_format": None}).response_format is None


def call(number: str, name: str, arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": number, "type": "function", "function": function}


def test_responses_messages() -> None:
    request = read(
        {
            "input": [
                {"role": "developer", "content": "rules"},
                {
                    "type": "message",
                    "role": "user",
                    "content": [
                        {"type": "input_text", "text": "a"},
                        {"type": "input_image", "image_url": "u"},
                        {"type": "input_text", "text": "b"},
                    ],
                },
                {"type": "reasoning", "summary": []},
                {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"},
                {"type": "function_call", "call_id": "2", "name": "g", "arguments": '{"a": 1}'},
                {"type": "function_call_output", "call_id": "1", "output": "one"},
                {"type": "web_search_call", "id": "w"},
                {"type": "item_reference", "id": "r"},
            ]
        }
    )
    assert request.messages == (
        {"role": "developer", "content": "rules"},
        {"role": "user", "content": "ab"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [call("1", "f", "{}"), call("2", "g", '{"a": 1}')],
        },
        {"role": "tool", "tool_call_id": "1", "content": "one"},
    )
    assert read({"input": "hi"}).messages == ({"role": "user", "content": "hi"},)


def test_anthropic_messages() -> None:
    request = read(
        {
            "system": [{"type": "text", "text": "be kind"}],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "hi"}]},
                {
                    "role": "assistant",
                    "content": [
                        {"type": "tool_use", "id": "1", "name": "f", "input": {"q": "é"}},
                        {"type": "tool_use", "id": "2", "name": "g", "input": {}},
                    ],
                },
                {
                    "role": "user",
                    "content": [
                        {
                            "type": "tool_result",
                            "tool_use_id": "1",
                            "content": [{"type": "text", "text": "one"}],
                        },
                        {"type": "tool_result", "tool_use_id": "2"},
                        {"type": "text", "text": "go on"},
                    ],
                },
            ],
        }
    )
    assert request.messages == (
        {"role": "system", "content": "be kind"},
        {"role": "user", "content": "hi"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [call("1", "f", '{"q": "é"}'), call("2", "g", "{}")],
        },
        {"role": "tool", "tool_call_id": "1", "content": "one"},
        {"role": "tool", "tool_call_id": "2", "content": ""},
        {"role": "user", "content": "go on"},
    )


def test_a_log_of_tools_is_a_list() -> None:
    document = Document([CHAT, CHAT], "x.jsonl", kind="jsonl")
    assert len(read_tools(document)) == 2


def test_read_tools_of_a_request_without_any() -> None:
    assert read_tools(Document({"messages": []}, "x")) == ()


def test_a_request_that_carries_a_tag_is_not_built_from() -> None:
    value = {"messages": [], "response_format": {"type": "structural_tag", "format": {}}}
    with pytest.raises(InputError, match="already carries a structural tag"):
        read_tool_request(Document(value, "x"))
