"""Choosing tokens at the ends of what the settings allow."""

from __future__ import annotations

from itertools import product

import pytest

from structag_cli.generate.sampling import Sampler
from structag_cli.generate.settings import Decoding

torch = pytest.importorskip("torch")

LOGITS = [0.0, 7.0, float("-inf"), -3.0]


@pytest.mark.parametrize(
    ("temperature", "top_p"), product((1e-320, 1e-40, 1.0, 1e40, 1e300), (0.0, 1e-30, 0.5, 1.0))
)
def test_every_temperature_and_top_p_chooses_an_allowed_token(temperature, top_p) -> None:
    sampler = Sampler(Decoding(temperature=temperature, top_p=top_p))
    chosen = {sampler.choose(torch.tensor(LOGITS)) for _ in range(50)}
    assert chosen <= {0, 1, 3}
    if temperature < 1e-10 or (temperature == 1 and top_p < 0.6):
        assert chosen == {1}


@pytest.mark.parametrize("seed", [-(10**30), -1, 0, 1 << 63, (1 << 64) - 1, 10**30])
def test_every_whole_number_is_a_seed(seed) -> None:
    def numbers(stream: int) -> list[int]:
        sampler = Sampler(Decoding(temperature=1.0, seed=seed), stream)
        return [sampler.choose(torch.zeros(1000)) for _ in range(5)]

    assert numbers(0) == numbers(0)
    assert numbers(0) != numbers(1)
