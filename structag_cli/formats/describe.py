"""A grammar in words, for people."""

from __future__ import annotations

from structag_cli.formats.model import Call, Grammar, Parts, RegexPart


def describe(grammar: Grammar) -> str:
    """The syntax, bans, facts and disagreements of a format, indented lines."""
    lines = []
    if grammar.block is not None:
        lines.append(_line("block", f"{grammar.block.begin!r} ... {grammar.block.end!r}"))
    lines += [_line("call", _call(call)) for call in grammar.calls]
    lines += [
        _line("between", repr(grammar.separator)),
        _line("triggers", _list(grammar.triggers)),
        _line("ban tokens", _list(grammar.ban.tokens)),
        _line("ban strings", _list(grammar.ban.strings)),
    ]
    if grammar.reasoning is not None:
        lines.append(_line("reasoning", f"ends with {grammar.reasoning.end!r}"))
    lines += [_line("disagrees", d.what) for d in grammar.disagreements]
    lines += [_line("fact", f"{fact.fact} [{fact.source}]") for fact in grammar.facts]
    return "\n".join(lines)


def _line(label: str, text: str) -> str:
    return f"  {label:<12} {text}"


def _list(items: tuple[str, ...]) -> str:
    return ", ".join(map(repr, items)) or "-"


def _call(call: Call) -> str:
    return f"{_parts(call.begin)} ARGUMENTS as {call.style} {_parts(call.end)}"


def _parts(parts: Parts) -> str:
    listed = (parts,) if isinstance(parts, str) else parts
    return " ".join(f"/{p.regex}/" if isinstance(p, RegexPart) else repr(p) for p in listed)
