"""Which tokenizers are at hand."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from structag_cli.tokenizers.recipes import RECIPES

_FILES = ("tokenizer.json", "tekken.json", "tokenizer.model")


@dataclass(frozen=True, slots=True)
class AtHand:
    """A tokenizer by the name that ``--tokenizer`` takes; ``path`` is empty where missing."""

    name: str
    what: str
    where: str
    path: str

    def to_json(self) -> dict[str, Any]:
        """Its fields, for ``structag tokenizers --json``."""
        return asdict(self)


def inventory() -> list[AtHand]:
    """Packaged tokenizers, installed or not, then hub ids in the local cache."""
    rows = []
    for recipe in RECIPES:
        found = recipe.find()
        where = f"package {recipe.distribution}" + ("" if found else ", not installed")
        rows.append(AtHand(recipe.name, recipe.what, where, str(found.file) if found else ""))
    return rows + _hub_cache()


def _hub_cache() -> list[AtHand]:
    """Read from the cache's folder layout; huggingface_hub itself takes long to import."""
    home = Path(os.environ.get("HF_HOME") or "~/.cache/huggingface").expanduser()
    root = Path(os.environ.get("HF_HUB_CACHE") or home / "hub")
    rows = []
    for folder in sorted(root.glob("models--*")):
        name = folder.name.removeprefix("models--").replace("--", "/")
        for file in _FILES:
            found = sorted(folder.glob(f"snapshots/*/{file}"))
            if found:
                rows.append(AtHand(name, file, "hub cache", str(found[-1])))
                break
    return rows
