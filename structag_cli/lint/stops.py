"""The texts of stop tokens: the tokenizer's own where one is given, else the well-known ones."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from structag_cli.tokenizers.tokenizer import Tokenizer

KNOWN = (
    *("<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|endoftext|>", "<|end_of_text|>", "</s>"),
    *("<|return|>", "<|call|>", "<eos>", "<end_of_turn>", "<｜end▁of▁sentence｜>"),
    "<|END_OF_TURN_TOKEN|>",
)
"""Stop tokens of the published models of Qwen, Llama, Mistral, gpt-oss, Gemma, DeepSeek and
Cohere, from their ``generation_config.json``. Those that some models use as ordinary
markers (``<|end|>``, ``<|user|>``) are left out."""


@cache
def stop_texts(tokenizer: str | None) -> tuple[str, ...]:
    """The texts that end an output.

    Raises:
        StructagError: there is no such tokenizer.
    """
    if tokenizer is None:
        return KNOWN
    opened = opened_tokenizer(tokenizer)
    return tuple(text for index in opened.stop_ids() if (text := opened.text(index)))


@cache
def opened_tokenizer(name: str) -> Tokenizer:
    """A tokenizer, read once a run."""
    from structag_cli.tokenizers.cache import DiskCache, default_root
    from structag_cli.tokenizers.tokenizer import open_tokenizer

    return open_tokenizer(name, cache=DiskCache(default_root() / "tokenizers"))
