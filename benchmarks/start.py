"""Start-up: `structag build` against importing xgrammar, `generate` against transformers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import alternate, python, structag
from benchmarks.table import Result, seconds_at_most
from structag_cli.generate.converted import converted
from structag_cli.generate.models import packaged_gguf

TOOLS = Path(__file__).parent.parent / "examples" / "weather.json"


def results() -> Iterator[Result]:
    """Whole processes, medians."""
    yield _build()
    yield _generate()


def _build() -> Result:
    """On two tools, median of 10."""
    build = structag("build", "--parser", "hermes", "--tools", str(TOOLS), "-c", "required")
    ours, peer = alternate(build, python("import xgrammar"), times=10)
    what = "`structag build` on two tools, whole process"
    return seconds_at_most(what, ours, ("`import xgrammar`", peer), 0.125, places=3)


def _generate() -> Result:
    """A whole call generated and verified, weights converted before; median of 5."""
    folder = converted(packaged_gguf(), print)
    load = f"AutoModelForCausalLM.from_pretrained({str(folder)!r}, local_files_only=True)"
    flags = ("-p", "hermes", "-t", str(TOOLS), "-c", "required", "--schema", "strict")
    ours, peer = alternate(
        structag("generate", *flags, "--prompt", "What is the weather in Paris, in celsius?"),
        python(f"from transformers import AutoModelForCausalLM; {load}"),
        times=5,
    )
    what = "`structag generate`, second start, one call of 49 tokens, whole process"
    return seconds_at_most(what, ours, ("the same weights in plain transformers", peer), 1.5)
