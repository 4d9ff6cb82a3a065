"""The parts that ``structag init`` writes."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import Any, Literal

from structag_cli.deployments.flags import (
    ENABLE,
    ENGINE_REASONING,
    EXCLUDE,
    FLAGS,
    GUIDED_BACKEND,
    PARSER,
    REASONING,
    SCHEMA,
    SCOPE,
    TAG,
)

EngineName = Literal["sglang", "vllm", "trtllm"]
FlagValue = tuple[str, str | None]
"""A flag and its value; ``None`` for switches."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What was asked.

    ``tags``: whether the parser has tags to switch on. ``newer``: Dynamo 1.6 or later, which
    has one flag for all. ``keep_tools``: tools stay in the prompt on ``none``.
    """

    model: str
    parser: str
    engine: EngineName = "sglang"
    scope: str = "auto"
    schema: str = "auto"
    keep_tools: bool = False
    reasoning: str | None = None
    newer: bool = False
    tags: bool = True


def flag_values(answers: Answers) -> list[FlagValue]:
    """The flags of the worker, beside its model."""
    found: list[FlagValue] = [(PARSER, answers.parser)]
    if answers.tags:
        found += _tag_flags(answers)
        if answers.keep_tools:
            found.append((FLAGS[EXCLUDE].negated, None))
        if answers.engine == "trtllm":
            found.append((GUIDED_BACKEND, "xgrammar"))
    if answers.reasoning:
        found.append((REASONING, answers.reasoning))
        if answers.engine in ("sglang", "vllm"):
            # Their grammars wait for the reasoning's end only if they know of it.
            found.append((ENGINE_REASONING, answers.reasoning))
    return found


def _tag_flags(answers: Answers) -> list[FlagValue]:
    if answers.newer:
        settings = {"scope": answers.scope, "schema": answers.schema}
        return [(TAG, json.dumps(settings, separators=(",", ":")))]
    found: list[FlagValue] = [(ENABLE, None)]
    if answers.scope != "auto":
        found.append((SCOPE, answers.scope))
    if answers.schema != "auto":
        found.append((SCHEMA, answers.schema))
    return found


def arguments(answers: Answers) -> list[str]:
    """The worker's arguments, word by word."""
    model_flag = "--model" if answers.engine == "vllm" else "--model-path"
    words = [model_flag, answers.model, "--served-model-name", answers.model]
    for flag, value in flag_values(answers):
        words += [flag] if value is None else [flag, value]
    return words


def script(answers: Answers) -> str:
    """A shell script that starts the worker."""
    words = arguments(answers)
    lines = [f"exec python3 -m dynamo.{answers.engine}"]
    for word in words:
        if word.startswith("--"):
            lines.append(f"  {word}")
        else:
            lines[-1] += f" {shlex.quote(word)}"
    return "#!/bin/sh\n" + " \\\n".join(lines) + "\n"


def manifest(answers: Answers) -> str:
    """A whole ``DynamoGraphDeployment``."""
    from structag_cli.emit.yaml_text import yaml_text

    name = "".join(c if c.isalnum() else "-" for c in answers.model.lower()).strip("-")
    worker = {
        "name": "main",
        "image": "${RUNTIME_IMAGE}",
        "command": ["python3", "-m", f"dynamo.{answers.engine}"],
        "args": arguments(answers),
    }
    value = {
        "apiVersion": "nvidia.com/v1beta1",
        "kind": "DynamoGraphDeployment",
        "metadata": {"name": name[:50].strip("-") or "model"},
        "spec": {
            "components": [
                _component("Frontend", "frontend", {"name": "main", "image": "${RUNTIME_IMAGE}"}),
                _component("Worker", "worker", worker),
            ]
        },
    }
    return yaml_text(value)


def _component(name: str, kind: str, container: dict[str, Any]) -> dict[str, Any]:
    pod = {"spec": {"containers": [container]}}
    return {"name": name, "type": kind, "replicas": 1, "podTemplate": pod}


def request(answers: Answers) -> str:
    """A request for which the deployment sends a tag."""
    value = {
        "model": answers.model,
        "messages": [{"role": "user", "content": "What is the weather in Paris?"}],
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "get_weather",
                    "description": "The current weather in a city.",
                    "parameters": {
                        "type": "object",
                        "properties": {
                            "city": {"type": "string", "description": "The city's name."},
                        },
                        "required": ["city"],
                        "additionalProperties": False,
                    },
                    "strict": True,
                },
            }
        ],
        "tool_choice": "auto",
        "parallel_tool_calls": False,
    }
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
