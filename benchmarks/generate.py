"""`structag generate` against `model.generate` with xgrammar's logits processor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.llguidance_peer import AVAILABLE, Llguidance
from benchmarks.table import Result
from structag_cli.dialects import tool_request_from_value
from structag_cli.generate.cpu_layers import pack_linear_layers
from structag_cli.generate.models import load_model, packaged_gguf
from structag_cli.generate.prompts import prompt_text
from structag_cli.generate.result import Generation
from structag_cli.generate.run import Generator, Job
from structag_cli.generate.settings import Decoding
from structag_cli.pipeline import answer
from structag_cli.policy.settings import Deployment

SAMPLE = Path(__file__).parent.parent / "tests" / "data" / "tool-corpus-sample.jsonl"
REQUESTS = 8
SETTINGS = Decoding(max_new_tokens=160)


@dataclass(frozen=True, slots=True)
class Engines:
    """The model with packed layers, as ``structag generate`` runs it, and as it is loaded."""

    packed: Generator
    plain: Generator

    def answers(self, job: Job, timed: bool = True) -> tuple[Generation, ...]:
        """One request: our loop, without jump-forward, and the peers.

        The peers: the processor path, free generation, the processor on packed layers.
        """
        free = replace(job, tag=None)
        found = (
            self._fresh(job, SETTINGS),
            self._fresh(job, replace(SETTINGS, jump_forward=False)),
            self.plain.generate([job], SETTINGS, engine="hf")[0],
            self.plain.generate([free], SETTINGS, engine="hf")[0],
            self.packed.generate([job], SETTINGS, engine="hf")[0],
        )
        if timed:
            rates = " / ".join(f"{_rate([one]):.1f}" for one in found)
            same = [found[0].text == found[2].text, found[1].text == found[2].text]
            print(f"{job.request.place.file}: {rates} tokens/s, texts equal: {same}")
        return found

    def _fresh(self, job: Job, settings: Decoding) -> Generation:
        """Our loop, with nothing kept from the request before."""
        self.packed.forget()
        return self.packed.generate([job], settings)[0]


def results() -> Iterator[Result]:
    """SmolLM2-135M, single-call requests of the tool corpus, prompt processing included.

    Every request has its own tools, so the kept prefix helps little. One output warms the
    models up before anything is timed. The peers run the model as transformers loads it;
    a row of its own says what our loop gains over the processor on the same packed layers.
    """
    engines = Engines(Generator(load_model("smollm2")), Generator(load_model("smollm2")))
    pack_linear_layers(engines.packed.loaded.model)
    generator = engines.plain
    jobs = [_job(row, generator) for row in _rows()]
    engines.answers(jobs[0], timed=False)
    # One request after the other through each engine: a machine that slows down slows all.
    answers = [engines.answers(job) for job in jobs]
    ours, exact, usual, free, packed = (list(column) for column in zip(*answers, strict=True))
    yield _row("against xgrammar's logits processor", ours, usual, 3.0)
    yield _row("without jump-forward, against xgrammar's logits processor", exact, usual, 3.0)
    yield _row("against free generation", ours, free, 1.0)
    yield _row("against the processor on our packed layers", ours, packed, 1.5)
    yield from _against_llguidance(generator, jobs, ours)
    mask = sum(r.stats.seconds["mask"] or 0.0 for r in ours) / sum(r.stats.total for r in ours)
    yield Result("time in mask", f"{mask:.2%}", "-", f"{mask:.4f}", "below 2%", mask < 0.02)
    yield _same("without jump-forward", exact, usual, goal=len(jobs))
    yield _same("with it, where forced text may be other tokens", ours, usual, goal=len(jobs) - 1)


def _same(how: str, ours: list[Generation], peer: list[Generation], goal: int) -> Result:
    same = sum(mine.text == theirs.text for mine, theirs in zip(ours, peer, strict=True))
    return Result(
        what=f"same greedy text as the processor, {how}",
        ours=f"{same} of {len(ours)}",
        peer="-",
        ratio=f"{same / len(ours):.2f}",
        goal=f"at least {goal} of {len(ours)}",
        holds=same >= goal,
    )


def _against_llguidance(
    generator: Generator, jobs: list[Job], ours: list[Generation]
) -> Iterator[Result]:
    """Where its grammar takes a request's schema; its text may differ, so rates are compared."""
    if not AVAILABLE:
        print("llguidance is not installed (pip install llguidance): no comparison with it")
        return
    peer = Llguidance(generator.loaded, _tokenizer())
    pairs = []
    for job, mine in zip(jobs, ours, strict=True):
        try:
            pairs.append((mine, peer.answer(job, SETTINGS)))
        except ValueError as err:
            print(f"llguidance cannot express a request: {str(err)[:100]}")
    mine = _rate([one for one, _ in pairs])
    theirs = sum(other.tokens for _, other in pairs) / sum(other.seconds for _, other in pairs)
    yield Result(
        what=f"SmolLM2-135M, CPU, {len(pairs)} requests, against llguidance's masks",
        ours=f"{mine:.1f} tokens/s",
        peer=f"{theirs:.1f} tokens/s",
        ratio=f"{mine / theirs:.2f}",
        goal="at least 1.0",
        holds=mine >= theirs,
    )


def _tokenizer() -> Any:
    """The packaged model's tokenizer as transformers reads it."""
    from transformers import AutoTokenizer

    weights = packaged_gguf()
    return AutoTokenizer.from_pretrained(str(weights.parent), gguf_file=weights.name)


def _rows() -> list[dict[str, Any]]:
    lines = SAMPLE.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    single = [row for row in rows if len(row["calls"]) == 1 and row.get("messages")]
    return single[:REQUESTS]


def _job(row: dict[str, Any], generator: Generator) -> Job:
    request = tool_request_from_value(
        {
            "messages": row["messages"],
            "tools": row["tools"],
            "tool_choice": "required",
            "parallel_tool_calls": False,
        },
        row["id"],
    )
    found = answer(request, Deployment("hermes", schema="strict"))
    if found.grammar is None or found.tag is None:
        raise SystemExit(f"{row['id']}: no tag")
    prompt = prompt_text(
        generator.loaded.chat_template, request, found.grammar, exclude_tools_on_none=True
    )
    return Job(prompt, request, found.grammar, found.tag.to_json())


def _rate(outputs: list[Generation]) -> float:
    tokens = sum(output.stats.tokens for output in outputs)
    return tokens / sum(output.stats.total for output in outputs)


def _row(what: str, ours: list[Generation], peer: list[Generation], goal: float) -> Result:
    mine, theirs = _rate(ours), _rate(peer)
    return Result(
        what=f"SmolLM2-135M, CPU, {len(ours)} requests, {what}",
        ours=f"{mine:.1f} tokens/s",
        peer=f"{theirs:.1f} tokens/s",
        ratio=f"{mine / theirs:.2f}",
        goal=f"at least {goal:.1f}",
        holds=mine / theirs >= goal,
    )
