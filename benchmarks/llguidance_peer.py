"""The same requests through llguidance, another library that constrains output.

Its grammar says what the structural tag says: one call, begun and ended by the same texts,
arguments by the same JSON Schema. It masks each step of ``model.generate``.
"""

from __future__ import annotations

import importlib.util
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from structag_cli.generate.models import LoadedModel
from structag_cli.generate.run import Job
from structag_cli.generate.settings import Decoding

AVAILABLE = importlib.util.find_spec("llguidance") is not None


@dataclass(frozen=True)
class Guided:
    """One output of llguidance."""

    text: str
    tokens: int
    seconds: float


def lark_of(tag: Mapping[str, Any]) -> str:
    """A tag that forces one of its calls, as llguidance's kind of Lark grammar.

    Raises:
        ValueError: the tag has another form.
    """
    form = tag["format"]
    if form["type"] != "triggered_tags" or not form.get("stop_after_first"):
        raise ValueError("not one forced call")
    calls = [
        f"{json.dumps(each['begin'])} %json {json.dumps(each['content']['json_schema'])} "
        f"{json.dumps(each['end'])}"
        for each in form["tags"]
    ]
    return "start: " + "\n | ".join(calls) + "\n"


class Llguidance:
    """Answers jobs with ``model.generate`` under llguidance's masks.

    Args:
        loaded: the model.
        tokenizer: its tokenizer as transformers has it.
    """

    def __init__(self, loaded: LoadedModel, tokenizer: Any) -> None:
        import llguidance.hf

        self._loaded = loaded
        self._width = loaded.model.config.vocab_size
        self._hf = tokenizer
        self._tokens = llguidance.hf.from_tokenizer(
            tokenizer, n_vocab=self._width, eos_token=loaded.stop_ids
        )

    def answer(self, job: Job, settings: Decoding) -> Guided:
        """One greedy output, its grammar's compilation included."""
        import torch

        if job.tag is None:
            raise ValueError("no tag")
        start = time.perf_counter()
        ids = torch.tensor([self._loaded.tokenizer.encoder()(job.prompt)])
        masks = _Masks(self._tokens, lark_of(job.tag), ids.shape[1], self._width)
        with torch.inference_mode():
            output = self._loaded.model.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=settings.max_new_tokens,
                logits_processor=[masks],
                do_sample=False,
                eos_token_id=self._loaded.stop_ids,
                pad_token_id=self._loaded.stop_ids[0],
            )[0][ids.shape[1] :].tolist()
        seconds = time.perf_counter() - start
        kept = [token for token in output if token not in self._loaded.stop_ids]
        return Guided(self._hf.decode(kept), len(kept), seconds)


class _Masks:
    """A logits processor, as llguidance's documentation writes one."""

    def __init__(self, tokens: Any, lark: str, prompt: int, width: int) -> None:
        import llguidance.torch
        from llguidance import LLMatcher

        self._torch = llguidance.torch
        self._matcher = LLMatcher(tokens, LLMatcher.grammar_from_lark(lark))
        if self._matcher.is_error():
            raise ValueError(self._matcher.get_error())
        self._seen = prompt
        self._bitmask = self._torch.allocate_token_bitmask(1, width)

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        new: Sequence[int] = input_ids[0, self._seen :].tolist()
        self._seen += len(new)
        self._matcher.consume_tokens(list(new))
        self._torch.fill_next_token_bitmask(self._matcher, self._bitmask, 0)
        self._torch.apply_token_bitmask_inplace(scores, self._bitmask)
        return scores
