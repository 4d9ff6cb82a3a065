"""What a grammar must satisfy beyond its types: faults that would break the tag."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from structag_cli.ecma_patterns import SlowPattern, full_matcher
from structag_cli.formats.model import NAME_PLACEHOLDER, Call, Grammar, Part, Parts, RegexPart

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken rule: where in the file, what, and how to mend it."""

    path: Path
    message: str
    mend: str


def problems(grammar: Grammar) -> list[Fault]:
    """Every broken rule of a grammar, in file order."""
    return [*_calls(grammar), *_triggers(grammar), *_texts(grammar), *_names(grammar)]


def clashes(grammars: Iterable[Grammar]) -> list[str]:
    """Names that two grammars claim for the same engine, as messages."""
    owner: dict[tuple[str, str], str] = {}
    found = []
    for grammar in grammars:
        for engine, names in grammar.names.items():
            for name in names:
                other = owner.setdefault((engine, name), grammar.format)
                if other != grammar.format:
                    found.append(f"{engine} {name}: both {other} and {grammar.format}")
    return found


def listed(parts: Parts) -> tuple[Part, ...]:
    """A begin or an end as a tuple of its parts."""
    return (parts,) if isinstance(parts, str) else parts


def _calls(grammar: Grammar) -> Iterator[Fault]:
    for index, call in enumerate(grammar.calls):
        yield from _call(call, ("calls", index))


def _call(call: Call, path: Path) -> Iterator[Fault]:
    begin, end = listed(call.begin), listed(call.end)
    if not begin or not isinstance(begin[0], str) or not begin[0]:
        yield Fault((*path, "begin"), "begin must start with a text", "put a text first")
    if not end or not isinstance(end[-1], str):
        yield Fault((*path, "end"), "end must close with a text", "put a text (or '') last")
    texts = [part for part in (*begin, *end) if isinstance(part, str)]
    if not any(NAME_PLACEHOLDER in text for text in texts):
        yield Fault(
            path, f"{NAME_PLACEHOLDER} is missing", f"put {NAME_PLACEHOLDER} into begin or end"
        )
    for key, parts in (("begin", begin), ("end", end)):
        for position, part in enumerate(parts):
            if isinstance(part, RegexPart):
                yield from _regex(part, (*path, key, position))


def _regex(part: RegexPart, path: Path) -> Iterator[Fault]:
    try:
        matches = full_matcher(part.regex)(part.example)
    except (re.error, SlowPattern) as err:
        yield Fault((*path, "regex"), f"invalid regular expression: {err}", "mend the pattern")
        return
    if matches is None:
        yield Fault(
            (*path, "example"),
            f"the regular expression does not match {part.example!r}",
            "give a text that it matches in full",
        )


def _triggers(grammar: Grammar) -> Iterator[Fault]:
    openings = list(_openings(grammar))
    for index, trigger in enumerate(grammar.triggers):
        path: Path = ("triggers", index)
        if not trigger:
            yield Fault(path, "a trigger is empty", "write the text that opens a call")
        elif not any(text.startswith(trigger) for _, text in openings):
            yield Fault(
                path,
                f"the trigger {trigger!r} starts no call",
                "make it the beginning of the block's begin or of a call's begin",
            )
    if not grammar.triggers:
        return
    for opening, text in openings:
        fits = [trigger for trigger in grammar.triggers if trigger and text.startswith(trigger)]
        if len(fits) != 1:
            yield Fault(
                opening,
                f"{len(fits)} triggers start {text!r}",
                "exactly one trigger must be its beginning",
            )


def _openings(grammar: Grammar) -> Iterator[tuple[Path, str]]:
    """What can stand first in a tag, up to the tool's name, and where it is written."""
    if grammar.block is not None:
        yield ("block", "begin"), grammar.block.begin
        return
    for index, call in enumerate(grammar.calls):
        begin = listed(call.begin)
        if begin and isinstance(begin[0], str):
            yield ("calls", index, "begin"), begin[0].split(NAME_PLACEHOLDER)[0]


def _texts(grammar: Grammar) -> Iterator[Fault]:
    for index, exclude in enumerate(grammar.excludes):
        path: Path = ("excludes", index)
        if not exclude:
            yield Fault(path, "an excluded string is empty", "drop it: it forbids all text")
        elif any(exclude in trigger for trigger in grammar.triggers):
            yield Fault(
                path,
                f"{exclude!r} is part of a trigger, so no call could be written",
                "drop it",
            )
    for key, banned in (("tokens", grammar.ban.tokens), ("strings", grammar.ban.strings)):
        for index, text in enumerate(banned):
            if not text:
                yield Fault(("ban", key, index), "a banned text is empty", "drop it")
    if grammar.prompt and "{tools}" not in grammar.prompt:
        yield Fault(("prompt",), "{tools} is missing", "put {tools} where the tool list belongs")


def _names(grammar: Grammar) -> Iterator[Fault]:
    for profile, support in grammar.profiles.items():
        known = grammar.names.get("dynamo", ()) if profile.startswith("dynamo-") else None
        for index, name in enumerate(support.names):
            if known is not None and name not in known:
                yield Fault(
                    ("profiles", profile, "names", index),
                    f"{name!r} is not among names.dynamo",
                    "add it there",
                )
    tools = {tool.name for tool in grammar.examples.tools}
    for index, example in enumerate(grammar.examples.parse):
        for position, call in enumerate(example.calls):
            if call.name not in tools:
                yield Fault(
                    ("examples", "parse", index, "calls", position, "name"),
                    f"{call.name!r} is not among the example tools",
                    "add it to examples.tools",
                )
