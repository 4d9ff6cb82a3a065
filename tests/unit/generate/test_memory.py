"""Memory does not grow from generation to generation, whatever tags they have."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from structag_cli.generate.run import Generator
from structag_cli.generate.settings import Decoding
from tests.byte_model import byte_model
from tests.unit.generate.test_loop import PARSERS, job

STATM = Path("/proc/self/statm")


def resident() -> float:
    """MiB."""
    import resource

    return int(STATM.read_text().split()[1]) * resource.getpagesize() / 2**20


@pytest.mark.skipif(not STATM.exists(), reason="no /proc: resident memory cannot be read")
def test_two_hundred_generations_with_a_tag_each() -> None:
    generator = Generator(byte_model())
    after: list[float] = []
    for number in range(240):
        asked = job(PARSERS[number % len(PARSERS)], f"prompt {number}")
        tag = json.loads(json.dumps(asked.tag).replace("get_wind", f"get_wind_{number}"))
        settings = Decoding(max_new_tokens=120, temperature=1.0, seed=number)
        generator.generate([replace(asked, tag=tag)], settings)
        after.append(resident())
    assert max(after[-20:]) - max(after[20:40]) < 8
