"""Weights of GGUF files, converted once and kept in the cache."""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, redirect_stderr
from pathlib import Path
from typing import Any

from structag_cli.errors import InputError, UsageError
from structag_cli.place import Place
from structag_cli.tokenizers.cache import default_root

Say = Callable[[str], None]


@contextmanager
def weights_folder(path: Path, say: Say) -> Iterator[Path]:
    """The folder that a model is loaded from: its own, or the one its GGUF file becomes.

    Where the cache cannot be written (read-only, full), that is a temporary folder.

    Raises:
        StructagError: the file is broken, what reads GGUF is not installed, or the
            converted weights have no room anywhere.
    """
    if path.suffix != ".gguf":
        yield path
        return
    target = _kept_at(path)
    if _whole(target):
        yield target
        return
    say(f"converting {path.name} (kept in the cache for the next start)")
    model = _from_gguf(path)
    try:
        _write(model, target)
    except CannotWrite as err:
        say(f"cannot keep the converted weights: {err}; STRUCTAG_CACHE_DIR names another folder")
    else:
        yield target
        return
    with _for_once(model, path) as folder:
        yield folder


@contextmanager
def _for_once(model: Any, gguf: Path) -> Iterator[Path]:
    with ExitStack() as stack:
        try:
            name = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
            _save(model, Path(name))
        except (CannotWrite, OSError) as err:
            raise InputError(
                f"no room for the converted weights: {err}",
                place=Place(str(gguf)),
                mend="STRUCTAG_CACHE_DIR=FOLDER on a disk with room",
            ) from None
        yield Path(name)


def converted(gguf: Path, say: Say) -> Path:
    """The folder of a GGUF file's weights in the cache."""
    with weights_folder(gguf, say) as folder:
        return folder


class CannotWrite(Exception):
    """The weights were not written, with the reason."""


def _kept_at(gguf: Path) -> Path:
    told = gguf.stat()
    return default_root() / "models" / f"{gguf.stem}-{told.st_size:x}-{int(told.st_mtime):x}"


def _whole(target: Path) -> bool:
    return (target / "config.json").is_file()


def _write(model: Any, target: Path) -> None:
    """Written aside and moved: a half-written folder is never taken for a whole one."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(dir=target.parent))
    except OSError as err:
        raise CannotWrite(f"{target.parent}: {err.strerror}") from None
    try:
        _save(model, work)
        os.replace(work, target)
    except OSError as err:
        # Another process may have been faster.
        if not _whole(target):
            raise CannotWrite(f"{target}: {err.strerror}") from None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _save(model: Any, folder: Path) -> None:
    from safetensors import SafetensorError

    try:
        model.save_pretrained(str(folder))
    except (OSError, SafetensorError) as err:  # on a full disk the one or the other
        raise CannotWrite(f"{folder}: {err}") from None


def _from_gguf(gguf: Path) -> Any:
    from transformers import AutoModelForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    # The conversion draws a bar of its own, whatever transformers was told.
    bar = nullcontext() if sys.stderr.isatty() else redirect_stderr(io.StringIO())
    try:
        with bar:
            model = AutoModelForCausalLM.from_pretrained(str(gguf.parent), gguf_file=gguf.name)
    except ImportError as err:
        first = str(err).strip().split("\n")[0]
        raise UsageError(f"GGUF needs more: {first}", mend="pip install 'structag[demo]'") from None
    except Exception as err:  # transformers raises all kinds for a broken checkpoint
        first = str(err).strip().split("\n")[0]
        raise InputError(
            f"cannot load the model: {first}",
            place=Place(str(gguf)),
            mend=f"a whole GGUF file of a known architecture; this has {gguf.stat().st_size} bytes",
        ) from None
    # The weights are plain floats now; saving refuses while these say otherwise.
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    model.hf_quantizer = None
    return model
