"""Every known parser name, with what is known of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from structag_cli.formats.model import Grammar
from structag_cli.formats.names import names_without_grammar
from structag_cli.formats.registry import grammars


@dataclass(frozen=True, slots=True)
class ParserEntry:
    """One parser name.

    ``format`` is ``None`` for a name without a grammar file. ``tag``, ``ban`` and
    ``reasoning`` say what the profile's release sends for this very name; another
    engine's name for the format may get nothing.
    """

    name: str
    format: str | None
    title: str
    aliases: tuple[str, ...]
    engines: tuple[str, ...]
    tag: bool
    ban: bool
    reasoning: bool
    ban_tokens: tuple[str, ...]
    ban_strings: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The entry as plain JSON values."""
        return {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items()}


def catalog(profile: str) -> tuple[ParserEntry, ...]:
    """Every parser name, sorted; a name that several formats share stands once for each."""
    entries = [
        _entry(grammar, name, profile) for grammar in grammars() for name in grammar.engine_names()
    ]
    known = {entry.name for entry in entries}
    entries += [
        ParserEntry(name, None, info.note, (), tuple(info.engines), False, False, False, (), ())
        for name, info in names_without_grammar().items()
        if name not in known
    ]
    return tuple(sorted(entries, key=lambda entry: (entry.name, entry.format or "")))


def _entry(grammar: Grammar, name: str, profile: str) -> ParserEntry:
    support = grammar.profiles.get(profile)
    tag = support is not None and name in support.names
    return ParserEntry(
        name=name,
        format=grammar.format,
        title=grammar.title,
        aliases=tuple(other for other in grammar.engine_names() if other != name),
        engines=tuple(engine for engine, names in grammar.names.items() if name in names),
        tag=tag,
        ban=tag and bool(grammar.ban.tokens),
        reasoning=tag and grammar.reasoning is not None,
        ban_tokens=grammar.ban.tokens,
        ban_strings=grammar.ban.strings,
    )
