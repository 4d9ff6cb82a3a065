"""Packed linear layers give what torch's own give, and are left out where they cannot."""

from __future__ import annotations

from typing import Any

import pytest

from structag_cli.generate import cpu_layers

torch = pytest.importorskip("torch")


def model(bias: bool = False, dtype: Any = None) -> Any:
    """A tiny Llama: every size another one, the output tied to the embedding."""
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=97,
        hidden_size=24,
        intermediate_size=56,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        attention_bias=bias,
        mlp_bias=bias,
        tie_word_embeddings=True,
    )
    return LlamaForCausalLM(config).to(dtype or torch.float32).eval()


def logits(one: Any, tokens: int) -> Any:
    ids = (torch.arange(tokens) * 31 % 97).reshape(1, -1)
    with torch.inference_mode():
        return one(input_ids=ids).logits


needs_operators = pytest.mark.skipif(
    not cpu_layers._works(), reason="this processor or torch has no packed layers"
)


@needs_operators
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("tokens", [1, 2, 5, 17, 130])
def test_the_logits_are_the_same(bias: bool, tokens: int) -> None:
    plain, packed = model(bias), model(bias)
    assert cpu_layers.pack_linear_layers(packed) == 2 * 7 + 1
    torch.testing.assert_close(logits(packed, tokens), logits(plain, tokens), atol=1e-5, rtol=1e-4)


@needs_operators
def test_the_tied_weights_are_not_copied() -> None:
    packed = model()
    cpu_layers.pack_linear_layers(packed)
    with torch.inference_mode():
        packed.get_input_embeddings().weight.mul_(2)
        after = packed.lm_head(torch.ones(24))
        expected = packed.get_input_embeddings().weight.sum(dim=1)
    torch.testing.assert_close(after, expected, atol=1e-4, rtol=1e-4)


def test_other_types_stay_as_they_are() -> None:
    assert cpu_layers.pack_linear_layers(model(dtype=torch.bfloat16)) == 0


def test_layers_with_hooks_stay_as_they_are() -> None:
    hooked = model()
    hooked.lm_head.register_forward_hook(lambda *_: None)
    cpu_layers.pack_linear_layers(hooked)
    assert type(hooked.lm_head) is torch.nn.Linear


@pytest.mark.parametrize("machine", ["aarch64", "arm64", "riscv64"])
def test_another_processor_keeps_the_plain_layers(
    monkeypatch: pytest.MonkeyPatch, machine: str
) -> None:
    monkeypatch.setattr("platform.machine", lambda: machine)
    assert cpu_layers.pack_linear_layers(model()) == 0


def test_operators_that_answer_wrongly_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_layers, "_packed", lambda layer, keep: lambda inputs: layer(inputs) + 1)
    assert cpu_layers.pack_linear_layers(model()) == 0
