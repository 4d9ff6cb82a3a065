"""Finds the shipped grammar files by format and by parser name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from structag_cli.errors import UsageError
from structag_cli.formats.model import Grammar
from structag_cli.formats.read import read_grammar

__all__ = [
    "grammar_files",
    "grammar_folder",
    "grammar_for",
    "grammar_of_format",
    "grammar_path",
    "grammars",
    "known_parsers",
    "read_grammar",
    "unknown_parser",
]

_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def grammar_folder() -> Path:
    """Where the shipped grammars are: inside the wheel, or beside the package in a checkout."""
    inside = _PACKAGE / "_grammars"
    return inside if inside.is_dir() else _PACKAGE.parent / "grammars"


def grammar_files() -> tuple[Path, ...]:
    """The shipped grammar files, sorted by name; a file is named after its format."""
    return tuple(sorted(grammar_folder().glob("*.yaml")))


def grammars() -> Iterator[Grammar]:
    """All shipped grammars."""
    return (read_grammar(path) for path in grammar_files())


@cache
def grammar_for(parser: str) -> Grammar | None:
    """The shipped grammar that has ``parser`` among its Dynamo names, else any engine's."""
    fallback = None
    for path in grammar_files():
        # Only files whose list of names mentions the parser are parsed: start-up matters.
        if parser != path.stem and parser not in _names_section(path):
            continue
        grammar = read_grammar(path)
        if parser in grammar.names.get("dynamo", ()):
            return grammar
        if fallback is None and (parser in grammar.engine_names() or parser == grammar.format):
            fallback = grammar
    return fallback


def _names_section(path: Path) -> str:
    """The lines of ``names:`` in a shipped file; the whole text if they cannot be told."""
    text = path.read_text(encoding="utf-8")
    _, opened, rest = text.partition("\nnames:")
    section, closed, _ = rest.partition("\ncalls:")
    return section if opened and closed else text


def grammar_of_format(format: str) -> Grammar:
    """The shipped grammar of that format.

    Raises:
        UsageError: there is none.
    """
    path = grammar_folder() / f"{format}.yaml"
    if path not in grammar_files():
        raise unknown_format(format)
    return read_grammar(path)


def grammar_path(name: str) -> Path:
    """The shipped file of a format or, failing that, of a parser name.

    Raises:
        UsageError: nothing has that name.
    """
    path = grammar_folder() / f"{name}.yaml"
    if path in grammar_files():
        return path
    grammar = grammar_for(name)
    if grammar is None:
        raise unknown_format(name)
    return grammar_folder() / f"{grammar.format}.yaml"


def known_parsers() -> tuple[str, ...]:
    """Every parser name that some grammar or the list of names without a grammar has."""
    from structag_cli.formats.names import names_without_grammar

    names = {name for grammar in grammars() for name in grammar.engine_names()}
    return tuple(sorted(names | set(names_without_grammar())))


def unknown_parser(parser: str) -> UsageError:
    """The error for a parser name that nothing knows, with the nearest names."""
    hint = _nearest(parser, known_parsers()) or "`structag parsers` lists the names"
    return UsageError(f"unknown parser {parser!r}", mend=hint)


def unknown_format(name: str) -> UsageError:
    """The error for a name that is neither a format nor a parser with a grammar."""
    formats = tuple(path.stem for path in grammar_files())
    hint = _nearest(name, (*formats, *known_parsers())) or "`structag grammar list` lists them"
    return UsageError(f"no grammar for {name!r}", mend=hint)


def _nearest(name: str, known: tuple[str, ...]) -> str:
    import difflib

    near = difflib.get_close_matches(name, dict.fromkeys(known), n=3, cutoff=0.5)
    return f"did you mean {', '.join(near)}?" if near else ""
