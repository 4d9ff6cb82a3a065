"""Regular expressions that split text before merging, for files that do not carry them."""

from __future__ import annotations

GPT2 = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""

CL100K = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)

QWEN2 = CL100K.replace(r"\p{N}{1,3}", r"\p{N}")

O200K = "|".join(
    [
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)

_BY_NAME = {
    "qwen": QWEN2,
    "o200k": O200K,
    "cl100k": CL100K,
    "r50k": GPT2,
    "p50k": GPT2,
    "gpt2": GPT2,
}

GGUF = {
    "default": GPT2,
    "gpt-2": GPT2,
    "smollm": GPT2,
    "llama-bpe": CL100K,
    "llama3": CL100K,
    "qwen2": QWEN2,
    "gpt-4o": O200K,
}
"""By the GGUF key ``tokenizer.ggml.pre``; SmolLM also splits digits one by one."""


def for_file(name: str) -> tuple[str, bool]:
    """The pattern for a tiktoken file, and whether its name was known."""
    low = name.lower()
    for key, pattern in _BY_NAME.items():
        if key in low:
            return pattern, True
    return CL100K, False
