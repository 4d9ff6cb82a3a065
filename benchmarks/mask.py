"""Masks: `structag mask` against importing xgrammar, and a walk against bare xgrammar calls."""

from __future__ import annotations

import compileall
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import structag_cli
from benchmarks.measure import python, run, structag
from benchmarks.table import Result, seconds_at_most

BAN = structag(
    "mask", "--tool-choice", "none", "--parser", "hermes", "--tokenizer", "qwen3.6", "--quiet"
)
CLEAR = [*python("import shutil,os;shutil.rmtree(os.environ['STRUCTAG_CACHE_DIR'])")]
TOOLS = Path(__file__).parent.parent / "examples" / "weather.json"
TIMES = 7


def results() -> Iterator[Result]:
    """Whole processes, median of 7 in turn; then the cost of a step of a walk.

    The modules are compiled first, as an installer does: a checkout may lack that.
    """
    compileall.compile_dir(str(Path(structag_cli.__file__).parent), quiet=2)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["STRUCTAG_CACHE_DIR"] = folder
        try:
            yield from _processes()
            yield from _steps()
        finally:
            del os.environ["STRUCTAG_CACHE_DIR"]


def _processes() -> Iterator[Result]:
    run(BAN)
    warm, peer = _alternate([BAN], [python("import xgrammar")])
    yield _whole("ban report, warm", warm, peer, 1.3)
    cold, peer = _alternate([CLEAR, BAN], [python("import xgrammar")])
    yield _whole("ban report, cold (no prepared tokenizer)", cold, peer, 2.0)


def _alternate(ours: list[list[str]], peer: list[list[str]]) -> tuple[float, float]:
    """Median seconds of the last command of each list; those before it are not timed."""
    pairs = []
    for _ in range(TIMES):
        pairs.append(([run(c) for c in ours][-1].seconds, [run(c) for c in peer][-1].seconds))
    return statistics.median(p[0] for p in pairs), statistics.median(p[1] for p in pairs)


def _whole(what: str, ours: float, peer: float, goal: float) -> Result:
    named = f"`structag mask`, {what}, Qwen3.6, whole process"
    return seconds_at_most(named, ours, ("`import xgrammar`", peer), goal)


def _steps() -> Iterator[Result]:
    """A walk over a long call: each mask, each accept, each row, against the bare calls."""
    from structag_cli.masks.step import Stepper
    from structag_cli.masks.walk import walk
    from structag_cli.tokenizers.cache import DiskCache, default_root
    from structag_cli.tokenizers.tokenizer import open_tokenizer

    tokenizer = open_tokenizer("qwen3.6", cache=DiskCache(default_root()))
    stepper = Stepper(tokenizer, _tag())
    text = "A long order. " * 200
    call = '{"name": "create_order", "arguments": {"item": "' + text + '", "quantity": 2}}'
    ids = tokenizer.encode(f"<tool_call>\n{call}\n</tool_call>")
    assert walk(stepper, ids).complete
    ours, peer = [], []
    for _ in range(TIMES):
        peer.append(_seconds(lambda: _bare(stepper, ids)))
        ours.append(_seconds(lambda: walk(stepper, ids)))
    mine, bare = (statistics.median(times) / len(ids) * 1e6 for times in (ours, peer))
    yield Result(
        what=f"`--walk`, one step, {len(ids)} tokens of a call, Qwen3.6",
        ours=f"{mine:.1f} us",
        peer=f"fill_next_token_bitmask and accept_token: {bare:.1f} us",
        ratio=f"{mine / bare:.2f}",
        goal="at most 2",
        holds=mine / bare <= 2,
    )


def _tag() -> dict[str, object]:
    import json
    import subprocess

    command = structag("build", "-p", "hermes", "-t", str(TOOLS), "-c", "required")
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    return dict(json.loads(done.stdout))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _bare(stepper: object, ids: list[int]) -> None:
    import xgrammar as xgr

    compiled = stepper.grammar.compiled  # type: ignore[attr-defined]
    matcher = xgr.GrammarMatcher(compiled)
    bitmask = xgr.allocate_token_bitmask(1, stepper.tokenizer.size)  # type: ignore[attr-defined]
    for index in ids:
        matcher.fill_next_token_bitmask(bitmask)
        matcher.accept_token(index)
