"""Finds and reads grammar files: the shipped ones and the user's own."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from structag_cli.errors import InputError, UsageError
from structag_cli.formats.model import Grammar
from structag_cli.place import Place

_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def grammar_folder() -> Path:
    """Where the shipped grammars are: inside the wheel, or beside the package in a checkout."""
    inside = _PACKAGE / "_grammars"
    return inside if inside.is_dir() else _PACKAGE.parent / "grammars"


def grammar_files() -> tuple[Path, ...]:
    """The shipped grammar files, sorted by name."""
    return tuple(sorted(grammar_folder().glob("*.yaml")))


@cache
def read_grammar(path: Path) -> Grammar:
    """Read one grammar file.

    Raises:
        InputError: the file cannot be read, or is not a valid grammar.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=loader)  # noqa: S506
    except OSError as err:
        raise InputError(f"cannot read: {err.strerror}", place=Place(str(path))) from None
    except (yaml.YAMLError, UnicodeDecodeError) as err:
        raise InputError(f"invalid YAML: {err}", place=Place(str(path))) from None
    try:
        return msgspec.convert(data, Grammar)
    except msgspec.ValidationError as err:
        raise InputError(
            f"not a valid grammar: {err}",
            place=Place(str(path)),
            mend="`structag grammar schema` prints the format",
        ) from None


def grammars() -> Iterator[Grammar]:
    """All shipped grammars."""
    return (read_grammar(path) for path in grammar_files())


@cache
def grammar_for(parser: str) -> Grammar | None:
    """The shipped grammar that has ``parser`` among its Dynamo names, else any engine's."""
    fallback = None
    for path in grammar_files():
        # Only files that mention the name are parsed: start-up time matters.
        if parser not in path.read_text(encoding="utf-8"):
            continue
        grammar = read_grammar(path)
        if parser in grammar.names.get("dynamo", ()):
            return grammar
        if fallback is None and (parser in grammar.engine_names() or parser == grammar.format):
            fallback = grammar
    return fallback


def grammar_path(name: str) -> Path:
    """The shipped file of a format id or parser name.

    Raises:
        UsageError: there is none.
    """
    for path in grammar_files():
        if path.stem == name or read_grammar(path).format == name:
            return path
    grammar = grammar_for(name)
    if grammar is None:
        raise unknown_parser(name)
    return grammar_path(grammar.format)


def grammar_of_format(format_id: str) -> Grammar:
    """The shipped grammar of that format id."""
    return read_grammar(grammar_path(format_id))


def known_parsers() -> tuple[str, ...]:
    """Every parser name that some grammar or the list of names without a grammar has."""
    from structag_cli.formats.names import names_without_grammar

    names = {name for grammar in grammars() for name in grammar.engine_names()}
    return tuple(sorted(names | set(names_without_grammar())))


def unknown_parser(parser: str) -> UsageError:
    """The error for a parser name that nothing knows, with the nearest names."""
    near = difflib.get_close_matches(parser, known_parsers(), n=3, cutoff=0.5)
    hint = f"did you mean {', '.join(near)}?" if near else "`structag parsers` lists the names"
    return UsageError(f"unknown parser {parser!r}", mend=hint)
