"""The model's side of the loop: one forward pass over chunks of several rows."""

from __future__ import annotations

import inspect
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Any


class Batch:
    """A key-value cache shared by rows of different lengths.

    A single row needs no mask: what it does not keep is cut off the cache. Several rows
    are padded on the left of each chunk, and what a row does not keep is masked out.

    Args:
        model: a causal language model of transformers.
        cache: its key-value cache, holding ``seen`` tokens of a single row.
        rows: how many rows.
        seen: how many tokens the cache holds.
    """

    def __init__(self, model: Any, cache: Any, rows: int, seen: int = 0) -> None:
        import torch

        if rows > 1 and seen:
            raise ValueError("only a single row can start from a filled cache")
        self._torch = torch
        self._model = model
        self.cache = cache
        self._cache_name = _cache_name(model.__class__)
        self._lengths = [seen] * rows
        self._mask = torch.ones((rows, seen), dtype=torch.long, device=model.device)
        self._width = 0

    @property
    def single(self) -> bool:
        """Whether there is one row."""
        return len(self._lengths) == 1

    def forward(self, chunks: Sequence[Sequence[int]], keep: int) -> Any:
        """Run the model over one chunk a row.

        Args:
            chunks: token ids; an empty chunk for a finished row.
            keep: for how many last positions logits are wanted.

        Returns:
            Logits of shape ``(rows, keep, vocab)``, aligned at the end of the chunks.
        """
        torch = self._torch
        width = self._width = max(map(len, chunks))
        pads = [width - len(chunk) for chunk in chunks]
        ids = torch.tensor([[0] * pad + list(c) for pad, c in zip(pads, chunks, strict=True)])
        options: dict[str, Any] = {}
        if not self.single:
            new = torch.tensor([[0] * pad + [1] * (width - pad) for pad in pads])
            self._mask = torch.cat([self._mask, new.to(self._mask.device)], dim=1)
            options["attention_mask"] = self._mask
        positions = [
            [max(0, length + at - pad) for at in range(width)]
            for length, pad in zip(self._lengths, pads, strict=True)
        ]
        output = self._model(
            input_ids=ids.to(self._model.device),
            position_ids=torch.tensor(positions).to(self._model.device),
            **{self._cache_name: self.cache},
            use_cache=True,
            logits_to_keep=keep,
            **options,
        )
        for row, chunk in enumerate(chunks):
            self._lengths[row] += len(chunk)
        return output.logits

    def drop(self, counts: Sequence[int]) -> None:
        """Forget each row's last tokens of the chunk just run (rejected guesses)."""
        for row, count in enumerate(counts):
            self._lengths[row] -= count
        if self.single:
            if counts[0]:
                self.cache.crop(-counts[0])
            return
        for row, count in enumerate(counts):
            if count:
                self._mask[row, -count:] = 0
        shared = min(counts)
        if shared:
            self.cache.crop(-shared)
            self._mask = self._mask[:, :-shared]


@lru_cache(maxsize=8)
def _cache_name(kind: Hashable) -> str:
    """What a model calls its cache: transformers 5 began to rename it, model by model."""
    forward: Any = getattr(kind, "forward", None)
    return "cache" if "cache" in inspect.signature(forward).parameters else "past_key_values"
