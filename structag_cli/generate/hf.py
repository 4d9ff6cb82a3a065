"""The usual way, to compare with: ``model.generate`` and xgrammar's logits processor."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from structag_cli.engine.native import xgrammar
from structag_cli.generate.loop import Row, Timing
from structag_cli.generate.models import LoadedModel
from structag_cli.generate.settings import Decoding
from structag_cli.generate.stop_texts import StopTexts


def run(
    loaded: LoadedModel, rows: Sequence[Row], compiled: Sequence[Any], settings: Decoding
) -> Timing:
    """Decode rows one after the other; their tokens are not told apart by kind.

    Args:
        loaded: the model.
        rows: fresh rows; filled with tokens.
        compiled: a compiled grammar a row, ``None`` for free text.
        settings: how to decode.

    Returns:
        Seconds in total; the parts are not known.
    """
    start = time.perf_counter()
    for row, grammar in zip(rows, compiled, strict=True):
        _one(loaded, row, grammar, settings)
    timing = Timing(told_apart=False)
    timing.total = time.perf_counter() - start
    timing.passes = sum(len(row.tokens) + 1 for row in rows)
    return timing


def _one(loaded: LoadedModel, row: Row, grammar: Any, settings: Decoding) -> None:
    import torch

    processors = []
    if grammar is not None:
        xgrammar()
        from xgrammar.contrib.hf import LogitsProcessor

        processors.append(LogitsProcessor(grammar))
    torch.manual_seed(row.sampler.seed)
    ids = torch.tensor([row.prompt], device=loaded.model.device)
    greedy = row.sampler.greedy
    chosen: dict[str, Any] = {"do_sample": not greedy}
    if not greedy:
        chosen |= {"temperature": row.sampler.temperature, "top_p": settings.top_p, "top_k": 0}
    output = loaded.model.generate(
        ids,
        attention_mask=torch.ones_like(ids),
        max_new_tokens=settings.max_new_tokens,
        logits_processor=processors,
        eos_token_id=loaded.stop_ids,
        pad_token_id=loaded.stop_ids[0],
        **chosen,
    )[0][len(row.prompt) :].tolist()
    row.finish = "length"
    stops = StopTexts(settings.stop)
    for token in output:
        if token in row.state.stop_ids:
            row.finish = "stop"
            break
        row.tokens.append(token)
        row.kinds.append("constrained" if grammar is not None else "free")
        if stops:
            row.end_at(stops, loaded.tokenizer.pieces[token])
        if row.cut is not None:
            break
