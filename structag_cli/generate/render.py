"""A generation for people: coloured text, calls, verdicts, figures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from structag_cli.generate.result import Generation, Segment, ServedStats, Stats

_STYLES = {"forced": "\x1b[2m", "constrained": "\x1b[1;36m", "free": ""}
_RESET = "\x1b[0m"
_ACCEPTED = {
    True: "accepts the output",
    False: "does not accept it",
    None: "not judged (there is none, or the text does not show it)",
}


def painted(segments: Sequence[Segment], *, color: bool) -> str:
    """The text; in colour forced tokens are dim and constrained ones bright."""
    if not color:
        return "".join(segment.text for segment in segments)
    return "".join(piece(segment.text, segment.kind) for segment in segments)


def piece(text: str, kind: str) -> str:
    """One stretch of text in the colour of its kind."""
    style = _STYLES.get(kind, "")
    return f"{style}{text}{_RESET}" if style else text


def report(generation: Generation) -> str:
    """Calls, verdicts and figures, a line each."""
    return "\n".join([*_calls(generation), *_verdict(generation), *_figures(generation)])


def _calls(generation: Generation) -> Iterator[str]:
    for call in generation.calls:
        mark = "valid" if call.valid else "INVALID"
        yield f"call     {call.name} {json.dumps(call.arguments, ensure_ascii=False)}  {mark}"
    if not generation.calls:
        yield "call     none"


def _verdict(generation: Generation) -> Iterator[str]:
    yield f"finish   {generation.finish_reason}"
    yield f"tag      {_ACCEPTED[generation.accepted]}"
    honours = generation.honours
    kept = honours.tool_choice and honours.parallel_tool_calls
    yield f"request  {'honoured' if kept else 'NOT honoured'}"
    for broken in generation.broken:
        yield f"broken   {broken}"


def _figures(generation: Generation) -> Iterator[str]:
    stats = generation.stats
    return _served(stats) if isinstance(stats, ServedStats) else _local(stats)


def _served(stats: ServedStats) -> Iterator[str]:
    if stats.tokens is not None:
        prompt = "" if stats.prompt_tokens is None else f" after a prompt of {stats.prompt_tokens}"
        yield f"tokens   {stats.tokens}{prompt}"
    if stats.tokens_per_second is not None:
        yield f"speed    {stats.tokens_per_second:.1f} tokens/s"
    first = "" if stats.first_token is None else f": first token after {stats.first_token:.2f}"
    yield f"time     {stats.total:.2f} s{first}"


def _parts(stats: Stats) -> Iterator[str]:
    """Where the time went, as far as it is known."""
    prefill, mask, compile_ = (stats.seconds[part] for part in ("prefill", "mask", "compile"))
    if prefill is not None:
        yield f"first pass {prefill:.2f}"
    if mask is not None:
        share = mask / stats.total if stats.total else 0.0
        yield f"mask {mask:.3f} ({share:.1%})"
    yield f"compile {compile_ or 0.0:.3f}"


def _local(stats: Stats) -> Iterator[str]:
    yield (
        f"tokens   {stats.tokens} after a prompt of {stats.prompt_tokens}: {stats.forced} forced, "
        f"{stats.constrained} constrained, {stats.free} free"
    )
    yield (
        f"speed    {stats.tokens_per_second:.1f} tokens/s in {stats.passes} forward passes "
        f"({stats.kept} of {stats.guessed} guesses kept)"
    )
    yield f"time     {stats.total:.2f} s: {', '.join(_parts(stats))}"
    yield f"memory   {stats.peak_memory_mib:.0f} MiB at most"
