"""Parser names that have no grammar file, and the full lists of Dynamo's releases."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

_FILE = Path(__file__).resolve().parent.parent / "data" / "parser_names.yaml"


class NameInfo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of a parser name without a grammar file.

    ``engines`` holds the releases seen to know the name, by engine (empty where the
    release was not recorded); ``format`` is the wire format in words; ``note`` says
    why no grammar file has it.
    """

    engines: dict[str, tuple[str, ...]]
    format: str
    note: str
    source: str


class _NameFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    releases: dict[str, tuple[str, ...]]
    without_grammar: dict[str, NameInfo]


@cache
def _read() -> _NameFile:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    data = yaml.load(_FILE.read_text(encoding="utf-8"), Loader=loader)
    return msgspec.convert(data, _NameFile)


def names_without_grammar() -> dict[str, NameInfo]:
    """Names that engines know and no grammar file covers."""
    return _read().without_grammar


def releases() -> tuple[str, ...]:
    """The releases whose full list of parser names is known, ``dynamo-1.3.1`` say."""
    return tuple(_read().releases)


def names_of_release(release: str) -> tuple[str, ...]:
    """Every tool parser name of a release, sorted.

    Raises:
        KeyError: the release is not among ``releases()``.
    """
    return _read().releases[release]
