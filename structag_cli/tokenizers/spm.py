"""SentencePiece ``.model`` files, read by the ``sentencepiece`` library."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from structag_cli.errors import UsageError
from structag_cli.tokenizers import stops
from structag_cli.tokenizers.source import Encode, Source, broken
from structag_cli.tokenizers.spelling import Encoding, decode_piece
from structag_cli.tokenizers.vocabulary import Added, Stop, Vocabulary


def read(source: Source) -> Vocabulary:
    """The vocabulary of a SentencePiece model.

    Raises:
        InputError: the library refuses the file.
        UsageError: the library is missing.
    """
    model = _library(source)
    names = [str(model.id_to_piece(index)) for index in range(model.get_piece_size())]
    encoding: Encoding = "byte-fallback" if "<0x0A>" in set(names) else "raw"
    spelled = encoding if encoding == "byte-fallback" else "byte-fallback"
    added = [
        Added(index, names[index], bool(model.is_control(index)))
        for index in range(len(names))
        if model.is_control(index)
    ]
    configs = stops.read_configs(source.beside)
    ids = {name: index for index, name in enumerate(names)}
    found = stops.stops_from(configs, ids, dict(enumerate(names)))
    end = int(model.eos_id())
    if end >= 0:
        found.append(Stop(end, names[end], "the model file's eos_id"))
    return Vocabulary(
        kind="sentencepiece",
        encoding=encoding,
        pieces=[decode_piece(name, spelled) for name in names],
        added=added,
        stops=found,
        logits=stops.logits_from(configs),
        prefix_space=True,
    )


def encoder(source: Source, vocabulary: Vocabulary) -> Encode:
    """Tokenize with the ``sentencepiece`` library."""
    model = _library(source)
    return lambda text: [int(index) for index in model.encode(text)]


def _library(source: Source) -> Any:
    try:
        library = import_module("sentencepiece")
    except ImportError:
        raise UsageError(
            "the package `sentencepiece` is missing", mend="pip install sentencepiece"
        ) from None
    try:
        return library.SentencePieceProcessor(model_file=str(source.file))
    except Exception as err:
        raise broken(source.file, f"the sentencepiece library refuses it: {err}") from None
