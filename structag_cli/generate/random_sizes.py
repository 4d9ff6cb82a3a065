"""What ``random:TOKENIZER,hidden=64,layers=2,...`` says of a model with random weights."""

from __future__ import annotations

from dataclasses import dataclass, fields

from structag_cli.errors import UsageError

RANDOM = "random:"

_MOST = {"seed": (1 << 63) - 1}
_MOST_OF_A_SIZE = 1 << 20
"""The memory runs out long before."""


@dataclass(frozen=True, slots=True)
class RandomSizes:
    """The size of the model, the seed of its weights, and how much closing is favoured."""

    hidden: int = 64
    layers: int = 2
    heads: int = 4
    seed: int = 0
    closing: int = 0


def read_random(name: str) -> tuple[str, RandomSizes]:
    """The tokenizer and the settings of ``random:TOKENIZER[,setting=N]...``.

    Raises:
        UsageError: a setting is unknown, or makes no model.
    """
    which, *settings = name.removeprefix(RANDOM).split(",")
    if not which:
        raise UsageError(f"{name!r} names no tokenizer", mend="random:smollm2")
    sizes = RandomSizes(**dict(_setting(each, name) for each in settings))
    for key in ("hidden", "layers", "heads"):
        if not getattr(sizes, key):
            raise UsageError(f"{name}: {key} is 0", mend="1 or more")
    if sizes.hidden % sizes.heads or sizes.hidden // sizes.heads % 2:
        raise UsageError(
            f"{name}: hidden={sizes.hidden} is no multiple of twice heads={sizes.heads}",
            mend=f"hidden={_fitting(sizes)}",
        )
    return which, sizes


def _setting(setting: str, name: str) -> tuple[str, int]:
    key, _, value = setting.partition("=")
    known = [field.name for field in fields(RandomSizes)]
    if key not in known or not (value.isascii() and value.isdigit()):
        mend = ", ".join(f"{each}=N" for each in known)
        raise UsageError(f"{name}: {setting!r} is no setting", mend=mend)
    # The length is looked at first: Python refuses to read a number of thousands of digits.
    most = _MOST.get(key, _MOST_OF_A_SIZE)
    if len(value) > len(str(most)) or int(value) > most:
        raise UsageError(f"random:...: {key} is too large", mend=f"at most {most}")
    return key, int(value)


def _fitting(sizes: RandomSizes) -> int:
    """The next hidden size that the heads divide into even parts, as rotary positions ask."""
    step = 2 * sizes.heads
    return -(-sizes.hidden // step) * step
