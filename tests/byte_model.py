"""Random weights over a byte vocabulary: a model without downloads, in milliseconds."""

from __future__ import annotations

from typing import Any

from structag_cli.generate.models import LoadedModel

STOP = 0


class ByteTokenizer:
    """Token 0 stops, token ``b`` + 1 is byte ``b``: every text has one tokenization."""

    def __init__(self) -> None:
        self.pieces = [b"<stop>", *(bytes([b]) for b in range(256))]
        self.size = len(self.pieces)

    def encoder(self) -> Any:
        return lambda text: [byte + 1 for byte in text.encode()]

    def stop_ids(self) -> list[int]:
        return [STOP]


def byte_model() -> LoadedModel:
    """The model; the same at every call."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = ByteTokenizer()
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=tokenizer.size,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=4096,
    )
    model = LlamaForCausalLM(config).eval()
    return LoadedModel("random", model, tokenizer, None, 4096, "cpu", "float32")  # type: ignore[arg-type]
