"""The policy table of Dynamo 1.3, sentence by sentence."""

from __future__ import annotations

from typing import Any

import pytest

from structag_cli.pipeline import Answer, answer
from structag_cli.place import Place
from structag_cli.policy.settings import Deployment
from structag_cli.request import ResponseFormat, Tool, ToolChoice, ToolRequest

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}


def tool(name: str = "get_weather", strict: bool | None = None, parameters: Any = SCHEMA) -> Tool:
    return Tool(name, None, parameters, strict, Place("tools.json", pointer="/0"))


def ask(
    *tools: Tool,
    choice: ToolChoice | None = None,
    parallel: bool | None = None,
    response: ResponseFormat | None = None,
    **deployment: Any,
) -> Answer:
    request = ToolRequest(
        tools=tools,
        choice=choice or ToolChoice(given=False),
        parallel_tool_calls=parallel,
        response_format=response,
    )
    return answer(request, Deployment(deployment.pop("parser", "hermes"), **deployment))


REQUIRED = ToolChoice("required")
NONE = ToolChoice("none")
NAMED = ToolChoice("named", "get_weather")


@pytest.mark.parametrize("scope", ["auto", "always"])
@pytest.mark.parametrize("choice", [REQUIRED, NAMED])
def test_forced_calls_always_get_a_tag_with_at_least_one(scope: Any, choice: ToolChoice) -> None:
    result = ask(tool(), choice=choice, scope=scope)
    assert result.decision.outcome == "structural_tag"
    assert result.decision.plan is not None
    assert result.decision.plan.at_least_one


@pytest.mark.parametrize("choice", [None, ToolChoice("auto")])
@pytest.mark.parametrize(
    ("strict", "parallel", "scope", "outcome"),
    [
        (None, None, "auto", "unconstrained"),
        (False, None, "auto", "unconstrained"),
        (None, True, "auto", "unconstrained"),
        (True, None, "auto", "structural_tag"),
        (None, False, "auto", "structural_tag"),
        (None, None, "always", "structural_tag"),
    ],
)
def test_auto_depends_on_scope_strict_and_parallel(
    choice: ToolChoice | None, strict: bool | None, parallel: bool | None, scope: Any, outcome: str
) -> None:
    result = ask(tool(strict=strict), choice=choice, parallel=parallel, scope=scope)
    assert result.decision.outcome == outcome


def test_one_strict_tool_is_enough() -> None:
    assert ask(tool("a"), tool("b", strict=True)).decision.outcome == "structural_tag"


@pytest.mark.parametrize(
    ("mode", "strict", "parameters", "used"),
    [
        ("auto", True, SCHEMA, SCHEMA),
        ("auto", None, SCHEMA, True),
        ("auto", False, SCHEMA, True),
        ("strict", None, SCHEMA, SCHEMA),
        ("strict", False, SCHEMA, SCHEMA),
        ("strict", None, None, True),
        ("auto", True, None, True),
        ("strict", True, {}, {}),
    ],
)
def test_which_schema_a_tool_gets(
    mode: Any, strict: bool | None, parameters: Any, used: Any
) -> None:
    plan = ask(tool(strict=strict, parameters=parameters), choice=REQUIRED, schema=mode)
    assert plan.decision.plan is not None
    assert plan.decision.plan.tools[0].schema == used


@pytest.mark.parametrize(
    ("parser", "banned"),
    [
        ("hermes", "<tool_call>"),
        ("qwen3_coder", "<tool_call>"),
        ("deepseek_v3_2", "｜DSML｜"),
        ("deepseek_v4", "｜DSML｜"),
    ],
)
def test_none_bans_the_parsers_tokens(parser: str, banned: str) -> None:
    result = ask(tool(), choice=NONE, parser=parser)
    assert result.tag is not None
    assert result.tag.to_json() == {
        "type": "structural_tag",
        "format": {
            "type": "tag",
            "begin": "",
            "content": {"type": "any_tokens", "exclude_tokens": [banned]},
            "end": "",
        },
    }


def test_none_without_tools_bans_nothing() -> None:
    assert ask(choice=NONE).decision.outcome == "unconstrained"


@pytest.mark.parametrize("parser", ["deepseek_v3_2", "deepseek_v4"])
@pytest.mark.parametrize("parallel", [None, True, False])
def test_a_single_call_is_capped_on_both_layers(parser: str, parallel: bool | None) -> None:
    tag = ask(tool(), choice=REQUIRED, parallel=parallel, parser=parser).tag
    assert tag is not None
    outer = tag.to_json()["format"]
    inner = outer["tags"][0]["content"]
    assert outer["stop_after_first"] is inner["stop_after_first"] is (parallel is False)


@pytest.mark.parametrize("choice", [None, ToolChoice("auto"), NONE])
def test_a_response_format_beats_the_tag_where_no_call_is_forced(choice: Any) -> None:
    response = ResponseFormat("json_schema", {"type": "integer"})
    result = ask(tool(strict=True), choice=choice, response=response)
    assert result.decision.guided_json == {"type": "integer"}


@pytest.mark.parametrize("choice", [REQUIRED, NAMED])
def test_a_forced_call_beats_the_response_format(choice: ToolChoice) -> None:
    result = ask(tool(), choice=choice, response=ResponseFormat("json_object"))
    assert result.decision.outcome == "structural_tag"


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (
            ResponseFormat("json_schema", {}, ""),
            "`response_format.json_schema.name` cannot be empty",
        ),
        (
            ResponseFormat("json_schema", None, "n"),
            "`response_format.json_schema.schema` is required when "
            "`response_format.type` is `json_schema`",
        ),
    ],
)
def test_a_response_format_that_the_server_refuses(response: Any, message: str) -> None:
    assert ask(tool(), response=response).decision.error == message


def test_allowed_tools_narrow_the_tag() -> None:
    allowed = ToolChoice("required", allowed=("b",))
    plan = ask(tool("a"), tool("b"), choice=allowed).decision.plan
    assert plan is not None
    assert [planned.name for planned in plan.tools] == ["b"]
    unknown = ToolChoice("auto", allowed=("c",))
    message = 'tool named "c" in tool_choice is not present in tools'
    assert ask(tool("a"), choice=unknown).decision.error == message


def test_response_format_text_constrains_nothing() -> None:
    result = ask(tool(), choice=NONE, response=ResponseFormat("text"))
    assert result.decision.outcome == "ban"


@pytest.mark.parametrize("settings", [{"enabled": False}, {"parser": "pythonic"}])
def test_without_tags_forced_calls_get_guided_json(settings: dict[str, Any]) -> None:
    named = ask(tool(), choice=NAMED, **settings)
    assert named.decision.guided_json == SCHEMA
    required = ask(tool(), choice=REQUIRED, **settings)
    assert required.decision.guided_json["items"]["anyOf"][0]["required"] == ["name", "parameters"]
    assert ask(tool(strict=True), **settings).decision.outcome == "unconstrained"
    assert ask(tool(), choice=NONE, **settings).decision.outcome == "unconstrained"


def with_definitions(name: str, definitions: Any) -> Tool:
    return tool(name, parameters={"$ref": "#/$defs/x", "$defs": definitions})


def test_definitions_move_to_the_root_of_guided_json() -> None:
    tools = (with_definitions("a", {"x": {"type": "null"}}), tool("b"))
    schema = ask(*tools, choice=REQUIRED, enabled=False).decision.guided_json
    assert schema["$defs"] == {"x": {"type": "null"}}
    members = schema["items"]["anyOf"]
    assert members[0]["properties"]["parameters"] == {"$ref": "#/$defs/x"}
    assert members[1]["properties"]["parameters"] == SCHEMA


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"x": {"type": "string"}}, "duplicate $defs entry `x` has conflicting schemas"),
        (None, "$defs for tool `b` must be an object"),
    ],
)
def test_definitions_that_clash(other: Any, message: str) -> None:
    tools = (with_definitions("a", {"x": {"type": "null"}}), with_definitions("b", other))
    assert ask(*tools, choice=REQUIRED, enabled=False).decision.error == message
    assert ask(*tools, choice=REQUIRED).decision.outcome == "structural_tag"
    named = ask(*tools, choice=ToolChoice("named", "a"), enabled=False)
    assert named.decision.guided_json == tools[0].parameters


@pytest.mark.parametrize(
    ("tools", "choice", "message"),
    [
        ((), REQUIRED, 'tool_choice is "required" but tools is empty'),
        (
            (tool("a"),),
            ToolChoice("named", "b"),
            'tool named "b" in tool_choice is not present in tools',
        ),
        ((tool(""),), None, "Function name at index 0 cannot be empty"),
        (
            (tool("n" * 97),),
            None,
            "Function name at index 0 exceeds 96 character limit, got 97 characters",
        ),
        (
            (tool(),) * 1537,
            None,
            "Maximum of 1536 tools are supported, got 1537",
        ),
        (
            (tool("a"), tool("a b")),
            None,
            'Function at index 1 has an invalid name: "a b". '
            "Only a-z, A-Z, 0-9, underscores, and dashes are allowed.",
        ),
    ],
)
def test_the_server_refuses(tools: Any, choice: ToolChoice | None, message: str) -> None:
    assert ask(*tools, choice=choice).decision.error == message


@pytest.mark.parametrize("choice", [REQUIRED, NAMED])
def test_forced_calls_after_reasoning(choice: ToolChoice) -> None:
    tag = ask(tool(), choice=choice, starts_in_reasoning=True).tag
    assert tag is not None
    form = tag.to_json()["format"]
    assert form["type"] == "sequence"
    assert form["elements"][0] == {
        "type": "tag",
        "begin": "",
        "content": {"type": "any_text", "excludes": []},
        "end": "</think>",
    }
    assert form["elements"][-1]["type"] == "triggered_tags"


@pytest.mark.parametrize("choice", [None, NONE])
def test_reasoning_changes_nothing_else(choice: ToolChoice | None) -> None:
    plain = ask(tool(strict=True), choice=choice).tag
    assert ask(tool(strict=True), choice=choice, starts_in_reasoning=True).tag == plain


def test_every_decision_says_why() -> None:
    for choice in (None, REQUIRED, NONE, NAMED):
        for enabled in (True, False):
            assert ask(tool(), choice=choice, enabled=enabled).decision.reason
