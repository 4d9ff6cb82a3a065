"""Prompts have as many tokens as a real Dynamo counted.

Its prompts came from Qwen3's chat template. The tokenizer is fetched, not kept:
``scripts/fetch_test_tokenizers.sh``, or STRUCTAG_QWEN3_TOKENIZER names its folder.
"""

import gzip
import json
import os
from pathlib import Path

import pytest

from structag_cli.prefix.compare import Renderer, Turn
from structag_cli.prefix.template import find_template
from structag_cli.tokenizers.cache import DiskCache
from structag_cli.tokenizers.tokenizer import open_tokenizer

pytestmark = pytest.mark.conformance

ROOT = Path(__file__).resolve().parents[2]
TOOLSETS = json.loads((ROOT / "tests" / "data" / "prompt-tokens.json").read_text())
ASKED = ({"role": "user", "content": "What is the weather in Paris?"},)
THINKING_OFF = {"enable_thinking": False}


@pytest.fixture(scope="module")
def folder():
    where = Path(os.environ.get("STRUCTAG_QWEN3_TOKENIZER", ROOT / ".tokenizers" / "qwen3"))
    if not (where / "tokenizer.json").is_file():
        pytest.skip("Qwen3's tokenizer is absent: scripts/fetch_test_tokenizers.sh brings it")
    return where


@pytest.fixture(scope="module")
def renderer(folder, tmp_path_factory):
    opened = open_tokenizer(str(folder), cache=DiskCache(tmp_path_factory.mktemp("cache")))
    return Renderer(find_template(str(folder)), opened.encoder(), opened.text)


def test_the_kept_template_is_the_package_s(folder):
    kept = (ROOT / "tests" / "data" / "qwen3-chat-template.jinja").read_text()
    assert find_template(str(folder)).default == kept


@pytest.mark.parametrize("name", TOOLSETS)
def test_toolsets(renderer, name):
    tools = tuple(TOOLSETS[name]["tools"])
    for choice in ("auto", "required", "named"):
        prompt = renderer.prompt(Turn(ASKED, tools, choice), exclude=True)
        assert len(prompt.ids) == TOOLSETS[name]["prompt_tokens"]
    assert len(renderer.prompt(Turn(ASKED, tools, "none"), exclude=True).ids) == 15


def test_the_figures_of_the_guide(renderer):
    tools = tuple(TOOLSETS["two_plain"]["tools"])
    rows = {(row.choice, row.exclude): row for row in renderer.choices(Turn(ASKED, tools, "none"))}
    assert (rows["auto", True].tokens, rows["none", False].tokens) == (326, 326)
    gone = rows["none", True]
    assert (gone.tokens, gone.common) == (15, 1)
    assert (gone.parting.index, gone.parting.here, gone.parting.there) == (1, "user", "system")


@pytest.mark.parametrize("release", ["1.3.1", "1.6.1"])
def test_every_row_of_the_corpus(renderer, shared, release):
    corpus = shared / "dynamo-conformance"
    toolsets = json.loads((corpus / "toolsets.json").read_text())
    known: dict[tuple[str, str, bool, bool], int] = {}
    checked = 0
    with gzip.open(corpus / f"dynamo-{release}.jsonl.gz", "rt") as rows:
        for line in rows:
            row = json.loads(line)
            if row.get("prompt_tokens") is None:
                continue
            choice = row["request"].get("tool_choice", "auto")
            mode = choice if isinstance(choice, str) else "named"
            off = _thinks_not(row, mode, release)
            exclude = row["deployment"]["exclude_tools_when_tool_choice_none"]
            key = (row["toolset"], mode, exclude, off)
            if key not in known:
                renderer.arguments = THINKING_OFF if off else {}
                turn = Turn(ASKED, tuple(toolsets.get(row["toolset"]) or ()), mode)
                known[key] = len(renderer.prompt(turn, exclude=exclude).ids)
            assert known[key] == row["prompt_tokens"], row["id"]
            checked += 1
    renderer.arguments = {}
    assert checked > 1000


def _thinks_not(row, mode, release):
    """Where Dynamo 1.6.1 closes the thoughts in the prompt, since they would break the output."""
    parser = row["deployment"]["tool_call_parser"]
    if release != "1.6.1" or "error" in row["expect"]:
        return False
    forced = parser == "kimi_k3" and mode == "named"
    return forced or (parser == "minimax_m3" and "guided_json" in row["expect"])
