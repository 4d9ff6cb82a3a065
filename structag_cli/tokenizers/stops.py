"""Which ids end an output, and which file says so."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from structag_cli.tokenizers.source import broken, unreadable
from structag_cli.tokenizers.vocabulary import Stop

CONFIG_FILES = (
    "generation_config.json",
    "config.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
)
"""Files beside a tokenizer that engines look into, the strongest first."""


def read_json(path: Path) -> Any:
    """A JSON file.

    Raises:
        InputError: it cannot be read or is not JSON.
    """
    try:
        return msgspec.json.decode(path.read_bytes())
    except OSError as err:
        raise unreadable(path, err) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as err:
        raise broken(path, f"not valid JSON: {err}") from None


def read_configs(beside: Mapping[str, Path]) -> dict[str, dict[str, Any]]:
    """Those of the config files that are there, parsed; files that hold no object left out.

    Raises:
        InputError: one of them is broken.
    """
    found = {name: read_json(beside[name]) for name in CONFIG_FILES if name in beside}
    return {name: value for name, value in found.items() if isinstance(value, dict)}


def stops_from(
    configs: Mapping[str, Mapping[str, Any]], ids: Mapping[str, int], texts: Mapping[int, str]
) -> list[Stop]:
    """Every stop that the config files give, the strongest file first.

    Args:
        configs: config files by name.
        ids: id by the text of the token.
        texts: text by id, for what is shown.
    """
    found: list[Stop] = []
    for name in CONFIG_FILES:
        for key, value in _eos_values(configs.get(name, {})):
            for item in value if isinstance(value, list) else [value]:
                index = _id_of(item, ids)
                if index is not None:
                    found.append(Stop(index, texts.get(index, ""), f"{name} {key}"))
    return found


def _eos_values(config: Mapping[str, Any]) -> list[tuple[str, Any]]:
    values = [(key, config[key]) for key in ("eos_token_id", "eos_token") if key in config]
    inner = config.get("text_config")
    if isinstance(inner, Mapping) and "eos_token_id" in inner:
        values.append(("text_config.eos_token_id", inner["eos_token_id"]))
    return [(key, value) for key, value in values if value is not None]


def _id_of(item: Any, ids: Mapping[str, int]) -> int | None:
    if isinstance(item, bool):
        return None
    if isinstance(item, int):
        return item if item >= 0 else None
    if isinstance(item, Mapping):
        item = item.get("content")
    return ids.get(item) if isinstance(item, str) else None


def logits_from(configs: Mapping[str, Mapping[str, Any]]) -> int | None:
    """The model's output width, where ``config.json`` gives it."""
    config = configs.get("config.json", {})
    inner = config.get("text_config")
    for place in (config, inner if isinstance(inner, Mapping) else {}):
        size = place.get("vocab_size")
        if isinstance(size, int) and not isinstance(size, bool) and 0 < size < 1 << 24:
            return size
    return None
