"""Makes random weights likely to end what they write, so that outputs come to an end.

Random weights choose among a whole vocabulary with nearly equal chances: inside a free
string they would hardly ever write its end, and where a grammar lets white space stand,
they write little else. Here the tokens that spell an end are made likelier, blank ones
less likely, and nothing else changes: what comes between stays random.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

ENDS = (
    '"',
    "</parameter>",
    "</arg_value>",
    "</｜DSML｜parameter>",
    "</｜DSML｜ parameter>",
)
"""What ends a free value in the argument styles of xgrammar 0.2.9."""

_SURE = 6.0
"""Added for the second and later tokens of an end that was begun."""


def favour(
    model: Any,
    encode: Callable[[str], Sequence[int]],
    pieces: Sequence[bytes],
    stops: Sequence[int],
    strength: float,
    texts: Sequence[str] = ENDS,
) -> None:
    """Add ``strength`` to the logits of stop tokens and of those that begin one of the texts.

    A token that goes on with a text that was begun gets more.

    Args:
        model: a causal language model of transformers; it is changed in place.
        encode: gives the token ids of a text.
        pieces: the bytes of every token; blank ones lose ``strength``.
        stops: the stop tokens.
        strength: in logits; 8 ends a string after some 20 tokens of a 50,000 vocabulary.
        texts: by default what ends values.
    """
    import torch

    first: set[int] = set()
    after: dict[int, set[int]] = defaultdict(set)
    for text in texts:
        ids = list(encode(text))
        first.add(ids[0])
        for one, following in pairwise(ids):
            after[one].add(following)
    change = torch.zeros(model.config.vocab_size)
    change[[token for token, piece in enumerate(pieces) if piece and not piece.strip()]] = -strength
    change[[*sorted(first), *stops]] = strength
    tables = {token: torch.tensor(sorted(following)) for token, following in after.items()}

    def add(_module: Any, _args: Any, kwargs: Any, output: Any) -> Any:
        logits = output.logits
        logits += change.to(logits)
        seen = kwargs["input_ids"][:, -logits.shape[1] :].tolist()
        for row, tokens in enumerate(seen):
            for at, token in enumerate(tokens):
                if token in tables:
                    logits[row, at, tables[token].to(logits.device)] += strength + _SURE
        return output

    model.register_forward_hook(add, with_kwargs=True)
