"""The request field that carries a tag to each engine (see docs/reference/engines.md)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from structag_cli.emit.anatomy import modern

Engine = Literal["openai", "vllm", "sglang", "trtllm", "dynamo"]


def payload(tag: Mapping[str, Any], engine: str) -> dict[str, Any]:
    """The field or fields to add to a request so that the engine obeys the tag.

    Raises:
        KeyError: no engine has that name.
    """
    return _WRAPPERS[engine](dict(tag))


def _response_format(tag: dict[str, Any]) -> dict[str, Any]:
    return {"response_format": tag}


def _vllm(tag: dict[str, Any]) -> dict[str, Any]:
    """vLLM 0.12 and later: the tag travels as a JSON string."""
    return {"structured_outputs": {"structural_tag": json.dumps(tag, ensure_ascii=False)}}


def _trtllm(tag: dict[str, Any]) -> dict[str, Any]:
    """trtllm-serve knows the ``format`` form alone and forbids other fields."""
    return {"response_format": modern(tag)}


def _dynamo(tag: dict[str, Any]) -> dict[str, Any]:
    """What Dynamo's frontend hands to its worker; clients cannot send it themselves."""
    return {"sampling_options": {"guided_decoding": {"structural_tag": tag}}}


_WRAPPERS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "openai": _response_format,
    "vllm": _vllm,
    "sglang": _response_format,
    "trtllm": _trtllm,
    "dynamo": _dynamo,
}
