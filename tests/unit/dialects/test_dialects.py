"""Every dialect becomes the same request."""

from __future__ import annotations

from typing import Any

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from structag_cli.dialects import read_tool_choice, read_tools, tool_request_from_value
from structag_cli.dialects.python import python_tools
from structag_cli.errors import InputError
from structag_cli.place import Place
from structag_cli.request import ToolChoice
from structag_cli.sources import Document

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}
CHAT = {
    "type": "function",
    "function": {"name": "f", "description": "d", "parameters": SCHEMA, "strict": True},
}
RESPONSES = {
    "type": "function",
    "name": "f",
    "description": "d",
    "parameters": SCHEMA,
    "strict": True,
}
ANTHROPIC = {"name": "f", "description": "d", "input_schema": SCHEMA, "strict": True}
MCP = {"name": "f", "description": "d", "inputSchema": SCHEMA, "strict": True}
HOLDERS = {
    "list": lambda tool: [tool],
    "one": lambda tool: tool,
    "request": lambda tool: {"model": "m", "tools": [tool]},
    "mcp answer": lambda tool: {"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool]}},
}


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("tool", [CHAT, RESPONSES, ANTHROPIC, MCP])
def test_the_same_tool_in_every_dialect(tool: dict[str, Any], holder: str) -> None:
    (read,) = read_tools(Document(HOLDERS[holder](tool), "x.json"))
    assert (read.name, read.description, read.parameters, read.strict) == ("f", "d", SCHEMA, True)


def test_absent_and_null_are_alike() -> None:
    for extra in ({}, {"parameters": None, "strict": None, "description": None}):
        (tool,) = read_tools(
            Document([{"type": "function", "function": {"name": "f", **extra}}], "x")
        )
        assert (tool.parameters, tool.strict, tool.description) == (None, None, None)


@pytest.mark.parametrize(
    ("value", "choice"),
    [
        ("auto", ToolChoice("auto")),
        ("none", ToolChoice("none")),
        ("required", ToolChoice("required")),
        ("any", ToolChoice("required")),
        ({"type": "function", "function": {"name": "f"}}, ToolChoice("named", "f")),
        ({"type": "function", "name": "f"}, ToolChoice("named", "f")),
        ({"type": "tool", "name": "f"}, ToolChoice("named", "f")),
        ({"type": "any"}, ToolChoice("required")),
        ({"type": "auto"}, ToolChoice("auto")),
        ({"type": "none"}, ToolChoice("none")),
        (
            {
                "type": "allowed_tools",
                "allowed_tools": {"mode": "required", "tools": [CHAT]},
            },
            ToolChoice("required", allowed=("f",)),
        ),
        (
            {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "f"}]},
            ToolChoice("auto", allowed=("f",)),
        ),
        (None, ToolChoice(given=False)),
    ],
)
def test_tool_choice(value: Any, choice: ToolChoice) -> None:
    read = read_tool_choice(value, Place("x"))
    assert (read.mode, read.name, read.allowed, read.given) == (
        choice.mode,
        choice.name,
        choice.allowed,
        choice.given,
    )


@pytest.mark.parametrize(
    "value",
    ["sometimes", 3, [], {}, {"type": "function"}, {"type": "x"}, {"type": "allowed_tools"}],
)
def test_tool_choice_that_no_dialect_has(value: Any) -> None:
    with pytest.raises(InputError):
        read_tool_choice(value, Place("x"))


def test_a_chat_request() -> None:
    request = tool_request_from_value(
        {
            "messages": [{"role": "user", "content": "hi"}],
            "tools": [CHAT],
            "tool_choice": "required",
            "parallel_tool_calls": False,
            "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {}}},
        },
        "x",
    )
    assert request.dialect == "openai-chat"
    assert (request.choice.mode, request.parallel_tool_calls) == ("required", False)
    assert request.response_format is not None
    assert (request.response_format.kind, request.response_format.schema) == ("json_schema", {})
    assert request.messages == ({"role": "user", "content": "hi"},)


def test_a_responses_request() -> None:
    request = tool_request_from_value(
        {
            "instructions": "be kind",
            "input": [
                {"role": "user", "content": [{"type": "input_text", "text": "hi"}]},
                {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "1", "output": "ok"},
            ],
            "tools": [RESPONSES, {"type": "web_search"}],
            "text": {"format": {"type": "json_schema", "name": "n", "schema": {"a": 1}}},
        },
        "x",
    )
    assert request.dialect == "openai-responses"
    assert [m["role"] for m in request.messages] == ["system", "user", "assistant", "tool"]
    assert request.tools is not None
    assert [tool.name for tool in request.tools] == ["f"]
    assert request.response_format is not None
    assert request.response_format.schema == {"a": 1}


def test_an_anthropic_request() -> None:
    request = tool_request_from_value(
        {
            "system": "be kind",
            "messages": [
                {"role": "user", "content": "hi"},
                {
                    "role": "assistant",
                    "content": [
                        {"type": "text", "text": "one moment"},
                        {"type": "tool_use", "id": "1", "name": "f", "input": {"q": "a"}},
                    ],
                },
                {
                    "role": "user",
                    "content": [{"type": "tool_result", "tool_use_id": "1", "content": "ok"}],
                },
            ],
            "tools": [ANTHROPIC],
            "tool_choice": {"type": "tool", "name": "f", "disable_parallel_tool_use": True},
        },
        "x",
    )
    assert request.dialect == "anthropic"
    assert (request.choice.name, request.parallel_tool_calls) == ("f", False)
    assert [m["role"] for m in request.messages] == ["system", "user", "assistant", "tool"]
    assert request.messages[2]["tool_calls"][0]["function"]["arguments"] == '{"q": "a"}'


def test_hosted_tools_are_left_out_with_a_warning() -> None:
    warnings: list[str] = []
    tools = read_tools(
        Document([ANTHROPIC, {"type": "web_search_20250305", "name": "web_search"}], "x"),
        warn=lambda message, place: warnings.append(f"{place}: {message}"),
    )
    assert [tool.name for tool in tools] == ["f"]
    assert warnings == [
        "x (at /1): tool of type 'web_search_20250305' is run by the provider: left out"
    ]


def test_a_forced_dialect_reads_what_detection_would_not() -> None:
    value = [{"name": "f", "parameters": SCHEMA}]
    assert read_tools(Document(value, "x"))[0].parameters == SCHEMA
    assert read_tools(Document(value, "x"), dialect="anthropic")[0].parameters is None


@pytest.mark.parametrize("value", [None, 3, "x", [3], [None], {"result": {}}, [{"function": 3}]])
def test_what_is_no_tool_list(value: Any) -> None:
    with pytest.raises(InputError):
        read_tools(Document(value, "x"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["f", "auto", "function", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "tools",
                    "type",
                    "function",
                    "name",
                    "parameters",
                    "input_schema",
                    "tool_choice",
                    "inputSchema",
                    "strict",
                    "result",
                    "messages",
                    "response_format",
                    "input",
                    "system",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=15,
)


@given(JSON)
def test_any_value_is_a_request_or_one_error(value: Any) -> None:
    error = ""
    try:
        tool_request_from_value(value, "x")
    except InputError as err:
        error = str(err)
    assert "\n" not in error


class Query(pydantic.BaseModel):
    """Ask something."""

    text: str
    limit: int = 10


def lookup(city: str, days: int = 3) -> str:
    """Look up a city."""
    return f"{city} {days}"


def anything(*args: int) -> None:
    """Take whatever comes."""


BOTH = [Query, lookup]


def test_python_tools() -> None:
    model, function = python_tools(f"{__name__}:BOTH")
    assert (model.name, model.description) == ("Query", "Ask something.")
    assert model.parameters["required"] == ["text"]
    assert (function.name, function.description) == ("lookup", "Look up a city.")
    assert function.parameters["properties"]["days"]["type"] == "integer"
    assert function.parameters["required"] == ["city"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nothing", "not module:attribute"),
        ("no_such_module_here:x", "no module named"),
        (f"{__name__}:missing", "has no missing"),
        (f"{__name__}:SCHEMA", "is not a pydantic model"),
        (f"{__name__}:anything", "have no schema"),
    ],
)
def test_python_faults(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        python_tools(spec)
