"""What one request asks of tool calling, whatever dialect it was written in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from structag_cli.place import Place

ChoiceMode = Literal["auto", "none", "required", "named"]
Dialect = Literal["openai-chat", "openai-responses", "anthropic", "mcp", "python"]


@dataclass(frozen=True, slots=True)
class Tool:
    """One function that the model may call.

    ``parameters`` is its JSON Schema, ``None`` when the field is absent or null.
    ``strict`` is as sent: ``None`` when absent or null.
    """

    name: str
    description: str | None
    parameters: Any
    strict: bool | None
    place: Place


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """The request's ``tool_choice``.

    ``given`` is false when the request leaves it out (servers then act as on ``auto``).
    ``name`` is set for ``named`` alone. ``allowed`` holds the names of OpenAI's
    ``allowed_tools`` (and of nothing else): the model may call these and no others.
    """

    mode: ChoiceMode = "auto"
    name: str | None = None
    allowed: tuple[str, ...] | None = None
    given: bool = True
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class ResponseFormat:
    """The request's ``response_format`` (``text.format`` in the Responses dialect)."""

    kind: Literal["text", "json_object", "json_schema"]
    schema: Any = None
    name: str | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """One request, read from any dialect.

    ``tools`` is ``None`` when the field is absent and ``()`` when it is an empty list:
    servers answer the two differently. ``messages`` are OpenAI chat messages.
    """

    tools: tuple[Tool, ...] | None
    choice: ToolChoice = ToolChoice(given=False)
    parallel_tool_calls: bool | None = None
    response_format: ResponseFormat | None = None
    messages: tuple[Mapping[str, Any], ...] = ()
    dialect: Dialect = "openai-chat"
    place: Place = field(default_factory=lambda: Place("-"))

    @property
    def schemas(self) -> dict[str, Any]:
        """The parameters of each tool, by its name."""
        return {tool.name: tool.parameters for tool in self.tools or ()}
