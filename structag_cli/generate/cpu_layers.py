"""Linear layers for the CPU that keep their weights in the order in which oneDNN reads them.

torch's own linear layers put the weights of a float32 matrix product in order again on
every call, and on x86 without Intel's name on it the library behind them leaves the widest
instructions unused. Both matter most where few tokens pass at a time, as here: a pass over
eight tokens then costs little more than one over a single token (docs/benchmarks.md).
"""

from __future__ import annotations

import platform
from typing import Any

_ROWS = 16
"""Rows that the order of the weights is chosen for; any number of rows may pass."""

_TOLERANCE = 1e-4
"""Of a product whose terms are about one: far above rounding, far below a mistake."""


def pack_linear_layers(model: Any) -> int:
    """Replace the float32 linear layers of a model on the CPU, in place.

    The sums run in another order, so logits change in their last bits. Weights that
    another layer shares (an output layer tied to the embedding) are used where they are.
    Nothing is replaced on another device, on another processor than x86, or where this
    torch lacks the operators or they answer wrongly.

    Args:
        model: a causal language model of transformers, in eval mode.

    Returns:
        How many layers were replaced.
    """
    if not _works():
        return 0
    import torch

    shared = model.get_input_embeddings().weight
    count = 0
    for parent in list(model.modules()):
        for name, layer in list(parent.named_children()):
            if type(layer) is torch.nn.Linear and _fits(layer):
                setattr(parent, name, _packed(layer, keep=layer.weight is shared))
                count += 1
    return count


def _fits(layer: Any) -> bool:
    """Whether nothing but a float32 product on the CPU happens in a layer."""
    import torch

    weight = layer.weight
    hooks = layer._forward_hooks or layer._forward_pre_hooks
    return weight.device.type == "cpu" and weight.dtype is torch.float32 and not hooks


def _packed(layer: Any, *, keep: bool) -> Any:
    """A layer that gives what ``layer`` gives."""
    import torch

    operators: Any = torch.ops.mkldnn
    bias = None if layer.bias is None else layer.bias.detach()
    weight = layer.weight.detach()
    if not keep:
        weight = operators._reorder_linear_weight(weight, _ROWS)

    module = torch.nn.Module()
    module.forward = lambda inputs: operators._linear_pointwise(
        inputs, weight, bias, "none", [], ""
    )
    return module


def _works() -> bool:
    """Whether this torch has the operators, and they give the right product."""
    import torch

    if platform.machine().lower() not in ("x86_64", "amd64"):
        return False
    if not torch.backends.mkldnn.is_available():
        return False
    layer = torch.nn.Linear(48, 80)
    inputs = torch.linspace(-1, 1, 3 * 48).reshape(1, 3, 48)
    try:
        with torch.inference_mode():
            found = [_packed(layer, keep=keep)(inputs) for keep in (False, True)]
            right = layer(inputs)
    except (AttributeError, RuntimeError):
        return False
    return all(torch.allclose(one, right, atol=_TOLERANCE) for one in found)
