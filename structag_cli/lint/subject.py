"""What rules look at: one document, what kind it is, and what it is linted for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from structag_cli.deployments.model import DeploymentFile
from structag_cli.errors import InputError
from structag_cli.formats.model import Grammar
from structag_cli.place import Place
from structag_cli.policy.settings import Deployment
from structag_cli.request import ToolRequest
from structag_cli.sources import Document

SubjectKind = Literal["tools", "request", "tag", "grammar", "schema", "deployment"]


@dataclass(frozen=True, slots=True)
class RawTool:
    """A tool as written, before any dialect insists on its shape.

    ``pointer`` leads to the object that has the name; ``schema_pointer`` to its schema.
    """

    index: int
    value: dict[str, Any]
    pointer: str
    schema_key: str
    whole: Any = None

    @property
    def name(self) -> Any:
        """The name, whatever its type."""
        return self.value.get("name")

    @property
    def title(self) -> str:
        """What to call the tool in messages."""
        return self.name if isinstance(self.name, str) and self.name else f"#{self.index + 1}"

    @property
    def schema(self) -> Any:
        """The schema of the parameters, ``None`` when absent."""
        return self.value.get(self.schema_key)

    @property
    def schema_pointer(self) -> str:
        """Where the schema stands."""
        return f"{self.pointer}/{self.schema_key}"


@dataclass(slots=True)
class Settings:
    """What documents are linted for."""

    parser: str | None = None
    grammar: Grammar | None = None
    deep: bool = True
    target: str | None = None
    tokenizer: str | None = None
    template: str | None = None
    seconds: float = 2.0
    seed: int = 0
    deployment: Deployment | None = None

    @property
    def policy(self) -> Deployment:
        """The settings that decide of tags: a deployment's, or Dynamo's defaults."""
        return self.deployment or Deployment(self.parser)

    @property
    def has_template(self) -> bool:
        """Whether a chat template may be at hand, and a tag to try its calls on."""
        return self.grammar is not None and bool(self.template or self.tokenizer)


@dataclass(slots=True)
class Subject:
    """One document (or one line of a log) of a known kind.

    ``bare``: the tag was a node without the tag around it; ``quoted``: it was JSON inside a
    string, which stands at ``pointer``.
    """

    document: Document
    kind: SubjectKind
    settings: Settings
    value: Any = None
    pointer: str = ""
    tools: tuple[RawTool, ...] = ()
    request: ToolRequest | InputError | None = None
    tag: dict[str, Any] | None = None
    bare: bool = False
    quoted: bool = False
    deployment: DeploymentFile | None = None
    probes: dict[int, Any] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)

    @property
    def request_or_tools(self) -> bool:
        """Whether this is a tool list or a request with tools."""
        return self.kind in ("tools", "request") and bool(self.tools)

    def named_tools(self) -> Iterator[RawTool]:
        """The tools whose name is a text."""
        return (tool for tool in self.tools if isinstance(tool.name, str))

    def schemas(self) -> Iterator[tuple[RawTool, dict[str, Any]]]:
        """The tools that have an object for a schema, with it."""
        for tool in self.tools:
            if isinstance(tool.schema, dict):
                yield tool, tool.schema
