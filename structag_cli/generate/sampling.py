"""Choosing a token from masked logits."""

from __future__ import annotations

from typing import Any

from structag_cli.generate.settings import Decoding

# Colder than this the likeliest token is certain, and hotter all are alike, already; float32
# can divide any logit by what is between, and stays finite.
_COLDEST, _HOTTEST = 1e-20, 1e20


class Sampler:
    """Greedy or random choice, reproducible by seed.

    Args:
        settings: temperature, top-p and seed.
        stream: which output this is; each has its own random numbers.
    """

    def __init__(self, settings: Decoding, stream: int = 0) -> None:
        import torch

        self._settings = settings
        # Any whole number is a seed of ours; torch's have 64 bits.
        self.seed = (settings.seed * 1_000_003 + stream) % (1 << 63)
        self._random = torch.Generator().manual_seed(self.seed)

    @property
    def greedy(self) -> bool:
        """Whether the most likely token is always chosen."""
        return self._settings.temperature <= 0

    @property
    def temperature(self) -> float:
        """The temperature as float32 can use it."""
        return min(max(self._settings.temperature, _COLDEST), _HOTTEST)

    def choose(self, logits: Any) -> int:
        """A token id from one row of masked logits (float, shape ``(vocab,)``)."""
        import torch

        if self.greedy:
            return int(torch.argmax(logits))
        probabilities = torch.softmax(logits.float().cpu() / self.temperature, dim=-1)
        if self._settings.top_p < 1.0:
            probabilities = _nucleus(probabilities, self._settings.top_p)
        return int(torch.multinomial(probabilities, 1, generator=self._random))


def _nucleus(probabilities: Any, top_p: float) -> Any:
    """Keep the likeliest tokens that together reach ``top_p``; one at least."""
    import torch

    ordered, index = torch.sort(probabilities, descending=True)
    outside = torch.cumsum(ordered, dim=-1) - ordered >= top_p
    outside[0] = False
    ordered[outside] = 0.0
    return torch.zeros_like(probabilities).scatter_(0, index, ordered)
