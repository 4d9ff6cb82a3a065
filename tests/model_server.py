"""A server that answers from our own decoding loop, under the tag that it is sent."""

from __future__ import annotations

import json
from threading import Lock
from typing import Any

from structag_cli.dialects import read_request
from structag_cli.dialects.values import silent
from structag_cli.formats.registry import grammar_for
from structag_cli.generate.result import Generation
from structag_cli.generate.run import Generator, Job
from structag_cli.generate.settings import Decoding
from structag_cli.pipeline import answer
from structag_cli.place import Place
from structag_cli.policy.settings import Deployment
from structag_cli.request import ToolRequest
from tests.fake_server import Reply

PIECE = 7
"""Characters of a piece; not a divisor of anything in a format."""


class ModelServer:
    """Raw text under the request's tag; calls, parsed, where the request has tools."""

    def __init__(self, generator: Generator, parser: str) -> None:
        self._generator = generator
        self._parser = parser
        self._lock = Lock()

    def __call__(self, reply: Reply) -> None:
        if "tools" in reply.body:
            self._parsed(reply)
        else:
            self._raw(reply)

    def _raw(self, reply: Reply) -> None:
        made = self._generate(reply.body, ToolRequest(None), received_tag(reply.body))
        pieces = [made.text[at : at + PIECE] for at in range(0, len(made.text), PIECE)]
        reply.text(*pieces, finish=made.finish_reason, tokens=made.stats.tokens or 0)

    def _parsed(self, reply: Reply) -> None:
        """As Dynamo does it: the tag is made here, and the calls are read here."""
        body = {**reply.body, "temperature": 1.0}
        request = read_request(body, Place("request"), None, silent)
        tag = answer(request, Deployment(self._parser, schema="strict")).tag
        made = self._generate(body, request, None if tag is None else tag.to_json())
        reply.begin()
        if made.content:
            reply.event(reply.chunk(made.content))
        for index, call in enumerate(made.calls):
            arguments = json.dumps(call.arguments)
            function = {"name": call.name, "arguments": ""}
            reply.event(_delta({"index": index, "id": f"c{index}", "function": function}))
            for at in range(0, len(arguments), PIECE):
                function = {"arguments": arguments[at : at + PIECE]}
                reply.event(_delta({"index": index, "function": function}))
        reply.finish("tool_calls" if made.calls else made.finish_reason, made.stats.tokens or 0)

    def _generate(self, body: dict[str, Any], request: ToolRequest, tag: Any) -> Generation:
        grammar = grammar_for(self._parser)
        assert grammar is not None
        prompt = body.get("prompt") or json.dumps(body["messages"])[-300:]
        settings = Decoding(
            max_new_tokens=body["max_tokens"],
            temperature=body["temperature"],
            seed=body.get("seed", 0),
        )
        with self._lock:
            return self._generator.generate([Job(prompt, request, grammar, tag)], settings)[0]


def _delta(call: dict[str, Any]) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}


def received_tag(body: dict[str, Any]) -> Any:
    """The tag of a request, from whichever field carries it."""
    if "structured_outputs" in body:
        return json.loads(body["structured_outputs"]["structural_tag"])
    found = body.get("response_format")
    assert found is None or found["type"] == "structural_tag"
    return found
