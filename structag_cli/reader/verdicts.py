"""Are the calls right, and was the request honoured?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from structag_cli.reader.values import ReadCall, Reading
from structag_cli.request import ToolRequest

MAX_ERRORS = 5
"""Most schema errors that are listed for a call."""


@dataclass(frozen=True, slots=True)
class CallVerdict:
    """A call, and what is wrong with it."""

    name: str
    arguments: dict[str, Any] | None
    errors: tuple[str, ...]

    @property
    def valid(self) -> bool:
        """Whether the tool exists and the arguments satisfy its schema."""
        return not self.errors

    def to_json(self) -> dict[str, Any]:
        """The contract of ``calls`` in JSON output."""
        return {
            "name": self.name,
            "arguments": self.arguments,
            "valid": self.valid,
            "errors": list(self.errors),
        }


@dataclass(frozen=True, slots=True)
class Honours:
    """Whether an output does what its request asks."""

    tool_choice: bool
    parallel_tool_calls: bool
    why: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The contract of ``honours`` in JSON output."""
        return {
            "tool_choice": self.tool_choice,
            "parallel_tool_calls": self.parallel_tool_calls,
            "why": list(self.why),
        }


def judge_calls(reading: Reading, request: ToolRequest) -> tuple[CallVerdict, ...]:
    """Check each call against its tool's schema (JSON Schema 2020-12, or its ``$schema``)."""
    schemas = request.schemas
    return tuple(_judge(call, schemas) for call in reading.calls)


def _judge(call: ReadCall, schemas: Mapping[str, Any]) -> CallVerdict:
    if call.name not in schemas:
        return CallVerdict(call.name, call.arguments, (f"no tool named {call.name!r}",))
    if call.arguments is None:
        return CallVerdict(call.name, None, call.faults or ("the arguments cannot be read",))
    return CallVerdict(
        call.name,
        call.arguments,
        (*call.faults, *schema_errors(call.arguments, schemas[call.name])),
    )


def schema_errors(value: Any, schema: Any) -> tuple[str, ...]:
    """What a value violates of a schema, each with its JSON pointer; ``()`` for nothing.

    A schema that is itself broken, or refers to something that is not in it, gives one
    error that says so. Nothing is ever fetched.
    """
    if schema is None or schema is True:
        return ()
    import json

    from jsonschema.exceptions import SchemaError

    try:
        validator = _validator(json.dumps(schema))
        errors = sorted(validator.iter_errors(value), key=lambda e: list(map(str, e.path)))
    except SchemaError as err:
        return (f"the schema is invalid: {err.message}",)
    except Exception as err:  # referencing raises several kinds for an unknown $ref
        return (f"the schema cannot be used: {err}",)
    return tuple(_message(error) for error in errors[:MAX_ERRORS])


@lru_cache(maxsize=512)
def _validator(schema_text: str) -> Any:
    import json

    from jsonschema.validators import Draft202012Validator, validator_for
    from referencing import Registry

    from structag_cli.ecma_patterns import reading

    schema = json.loads(schema_text)
    # The protocol in the type stubs does not know `format_checker`.
    kind: Any = validator_for(schema, default=Draft202012Validator)
    # Without formats: a pattern may be right and yet none that Python's `re` reads.
    kind.check_schema(schema, format_checker=None)
    # An empty registry: a $ref that is not local is unresolvable, never fetched.
    return reading(kind)(schema, registry=Registry())


def _message(error: Any) -> str:
    parts = (str(part).replace("~", "~0").replace("/", "~1") for part in error.absolute_path)
    pointer = "".join(f"/{part}" for part in parts)
    return f"{pointer or '/'}: {error.message}"


def honours(reading: Reading, request: ToolRequest) -> Honours:
    """Whether the calls are those that ``tool_choice`` and ``parallel_tool_calls`` allow."""
    choice = request.choice
    names = [call.name for call in reading.calls]
    why: list[str] = []
    if choice.mode == "none" and names:
        why.append(f"tool_choice is none, and there are {len(names)} calls")
    if choice.mode == "required" and not names:
        why.append("tool_choice is required, and there is no call")
    if choice.mode == "named" and (not names or set(names) != {choice.name}):
        why.append(f"tool_choice names {choice.name}, and the calls are {names}")
    if choice.allowed is not None and not set(names) <= set(choice.allowed):
        why.append(f"allowed_tools are {list(choice.allowed)}, and the calls are {names}")
    single = request.parallel_tool_calls is not False or len(names) <= 1
    chosen = not why
    if not single:
        why.append(f"parallel_tool_calls is false, and there are {len(names)} calls")
    return Honours(chosen, single, tuple(why))
