"""What came of an answer: the checks that a local model's output gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from structag_cli.endpoint.answer import Answer, ServedCall
from structag_cli.endpoint.body import Way
from structag_cli.endpoint.faults import shown
from structag_cli.endpoint.key import Key
from structag_cli.engine.text import compile_text, token_strings
from structag_cli.formats.model import Grammar
from structag_cli.generate.result import Generation, ServedStats
from structag_cli.reader import read_calls
from structag_cli.reader.json_text import decode_at
from structag_cli.reader.values import Problem, ReadCall, Reading
from structag_cli.reader.verdicts import CallVerdict, Honours, honours, judge_calls
from structag_cli.request import ToolRequest

END_TOKENS = (
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end_of_text|>",
    "<｜end▁of▁sentence｜>",
    "<end_of_turn>",
    "<|end_of_sentence|>",
    "<|END_OF_TURN_TOKEN|>",
    "</s>",
)
"""Tokens that end a turn. TensorRT-LLM leaves them in the text when special tokens stay."""

_FINISH = {"stop": "stop", "tool_calls": "stop", "function_call": "stop", "length": "length"}


@dataclass(frozen=True, slots=True)
class Ask:
    """One request to a server, and what its answer is judged by.

    ``in_reasoning``: the tag begins inside the model's reasoning.
    """

    way: Way
    body: Mapping[str, Any]
    request: ToolRequest
    grammar: Grammar
    tag: Mapping[str, Any] | None
    in_reasoning: bool = False


def judged(ask: Ask, answer: Answer, key: Key) -> Generation:
    """The verdicts on an answer. The key is taken out after they are made."""
    finish = _FINISH.get(answer.finish, shown(answer.finish) or "stop")
    text = _without_end_token(answer.text) if finish == "stop" else answer.text
    parsed = bool(answer.calls) or ask.way == "tools"
    own = read_calls(ask.grammar, text, tools=ask.request.schemas)
    reading = _served(answer, own) if parsed else own
    made = Generation(
        text=text,
        token_ids=None,
        finish_reason=finish,
        accepted=_accepted(ask, answer, text, finish, parsed=parsed),
        content=reading.content,
        calls=judge_calls(reading, ask.request),
        honours=honours(reading, ask.request),
        stats=ServedStats(
            answer.tokens, answer.prompt_tokens, answer.seconds, answer.first_seconds
        ),
        problems=tuple(f"at character {p.position}: {p.what}" for p in reading.problems),
    )
    return _redacted(made, key)


def _without_end_token(text: str) -> str:
    for token in END_TOKENS:
        if text.endswith(token):
            return text.removesuffix(token)
    return text


def _served(answer: Answer, own: Reading) -> Reading:
    """The calls that the server's parser found, and those that it left in the text."""
    left = tuple(
        Problem(f"the server left a call of {call.name} in the text", call.span[0])
        for call in own.calls
    )
    calls = tuple(_call(call) for call in answer.calls)
    return Reading(answer.text.strip(), calls, (*left, *own.problems))


def _call(call: ServedCall) -> ReadCall:
    # Servers send no arguments for a call of a tool that has none.
    text = call.arguments if call.arguments.strip() else "{}"
    value, end, faults, _ = decode_at(text, 0)
    if not faults and text[end:].strip():
        value, faults = None, ("text stands behind the arguments",)
    if value is not None and not isinstance(value, dict):
        value, faults = None, ("the arguments are no JSON object",)
    if value is None:
        why = f"{'; '.join(faults) or 'the arguments are no JSON object'}: {shown(text)}"
        return ReadCall(call.name, None, text, (0, 0), (why,))
    return ReadCall(call.name, value, text, (0, 0), faults)


def _accepted(ask: Ask, answer: Answer, text: str, finish: str, *, parsed: bool) -> bool | None:
    """Whether the tag accepts the text; ``None`` where that cannot be told.

    It cannot without a tag, where the server parsed the text, where it took reasoning out of
    it that the tag speaks of, and for tags that speak of tokens, which no text shows.
    """
    if ask.tag is None or ask.way == "tools" or parsed:
        return None
    if finish != "stop":
        return False
    if any(token_strings(ask.tag)) or (answer.reasoning and ask.in_reasoning):
        return None
    return compile_text(ask.tag).check(text).accepted


def _redacted(made: Generation, key: Key) -> Generation:
    clean = key.redact
    return replace(
        made,
        text=clean(made.text),
        finish_reason=clean(made.finish_reason),
        content=clean(made.content),
        calls=tuple(
            CallVerdict(clean(c.name), key.redact_value(c.arguments), tuple(map(clean, c.errors)))
            for c in made.calls
        ),
        honours=Honours(
            made.honours.tool_choice,
            made.honours.parallel_tool_calls,
            tuple(map(clean, made.honours.why)),
        ),
        problems=tuple(map(clean, made.problems)),
    )
