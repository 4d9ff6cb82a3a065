"""The options that every request-reading command takes, declared once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer

_REQUEST = "Request"
_POLICY = "Deployment"


class DialectName(str, Enum):
    """Tool dialects."""

    openai_chat = "openai-chat"
    openai_responses = "openai-responses"
    anthropic = "anthropic"
    mcp = "mcp"


class ScopeName(str, Enum):
    """Values of ``--dyn-structural-tag-scope``."""

    auto = "auto"
    always = "always"


class SchemaName(str, Enum):
    """Values of ``--dyn-structural-tag-schema``."""

    auto = "auto"
    strict = "strict"


@dataclass(frozen=True, slots=True)
class RequestFlags:
    """The options, as typed. Flags override what ``--request`` reads."""

    parser: Annotated[
        str | None,
        typer.Option(
            "--parser", "-p", help="Tool-call parser name. `structag parsers` lists them."
        ),
    ] = None
    grammar: Annotated[
        str | None, typer.Option("--grammar", help="Your own grammar file, instead of --parser.")
    ] = None
    tools: Annotated[
        str | None,
        typer.Option(
            "--tools",
            "-t",
            help="Tool list: OpenAI, Anthropic or MCP; JSON, JSONL or YAML; - for stdin.",
        ),
    ] = None
    import_python: Annotated[
        bool,
        typer.Option(
            "--import-python",
            help="Read --tools as module:attribute (a pydantic model or typed function). "
            "This imports, that is runs, that module.",
        ),
    ] = False
    request: Annotated[
        str | None,
        typer.Option("--request", "-r", help="A whole request (chat, Responses or Anthropic)."),
    ] = None
    dialect: Annotated[
        DialectName | None, typer.Option("--dialect", help="Do not detect the tools' dialect.")
    ] = None
    tool_choice: Annotated[
        str | None,
        typer.Option("--tool-choice", "-c", help="auto, none, required, a tool's name, or JSON."),
    ] = None
    parallel: Annotated[
        bool | None,
        typer.Option(
            "--parallel-tool-calls/--no-parallel-tool-calls",
            help="The request's parallel_tool_calls.",
        ),
    ] = None
    deployment: Annotated[
        str | None,
        typer.Option(
            "--deployment",
            "-d",
            help="Take the settings from a manifest (DynamoGraphDeployment, any workload, "
            "Compose) or a script; flags here override it.",
        ),
    ] = None
    deployment_args: Annotated[
        str | None,
        typer.Option("--deployment-args", help="Take the settings from a worker's command line."),
    ] = None
    worker: Annotated[
        str | None, typer.Option("--worker", help="Which worker of --deployment.")
    ] = None
    scope: Annotated[
        ScopeName | None,
        typer.Option("--scope", help="--dyn-structural-tag-scope. [default: auto]"),
    ] = None
    schema: Annotated[
        SchemaName | None,
        typer.Option("--schema", help="--dyn-structural-tag-schema. [default: auto]"),
    ] = None
    profile: Annotated[
        str | None,
        typer.Option("--profile", help="Whose policy decides. [default: dynamo-1.3]"),
    ] = None
    disabled: Annotated[
        bool | None,
        typer.Option(
            "--disabled/--enabled",
            help="As with the master switch off (Dynamo's default), or on. [default: on, or as "
            "--deployment says]",
        ),
    ] = None
    exclude_tools: Annotated[
        bool | None,
        typer.Option(
            "--exclude-tools-when-tool-choice-none/--no-exclude-tools-when-tool-choice-none",
            help="Whether tools leave the prompt on none. [default: exclude]",
        ),
    ] = None
    starts_in_reasoning: Annotated[
        bool,
        typer.Option("--starts-in-reasoning", help="The prompt ends inside the model's reasoning."),
    ] = False
    allow_duplicates: Annotated[
        bool,
        typer.Option(
            "--allow-duplicate-names", help="Accept two tools of one name, as Dynamo does."
        ),
    ] = False


def with_request_flags(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command ``flags: RequestFlags`` and its options on the command line.

    The command's own parameters come first in ``--help``.
    """
    own = inspect.signature(command).parameters
    own_hints = get_type_hints(command, include_extras=True)
    hints = get_type_hints(RequestFlags, include_extras=True)
    shared = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(RequestFlags)
    ]
    kept = [
        p.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=own_hints[name])
        for name, p in own.items()
        if name != "flags"
    ]
    names = [p.name for p in shared]

    @wraps(command)
    def wrapper(**values: Any) -> None:
        flags = RequestFlags(**{name: values.pop(name) for name in names})
        command(flags=flags, **values)

    parameters = [*shared, *kept]
    wrapper.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {p.name: p.annotation for p in parameters}
    del wrapper.__wrapped__
    return wrapper
