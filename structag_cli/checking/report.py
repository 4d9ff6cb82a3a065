"""Verdicts on outputs, for people and for programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from itertools import chain, islice
from typing import TextIO

from structag_cli.checking.check import ALMOST_ANY, END, Checked
from structag_cli.errors import InputError
from structag_cli.lint.report.text import printable
from structag_cli.reader.json_text import dumps

VERSION = 1


Verdict = Checked | InputError
"""What is said of an output; an error where it cannot be read."""


def print_json(verdicts: Iterable[tuple[str, Verdict]], stream: TextIO) -> None:
    """One object for one output, else ``{"version", "outputs", "summary"}``.

    Of one output that cannot be read nothing is printed: the error says it all.
    """
    pending = iter(verdicts)
    first = list(islice(pending, 2))
    if len(first) == 1:
        name, found = first[0]
        if isinstance(found, Checked):
            value = {"version": VERSION, "name": name, **found.to_json()}
            stream.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
        return
    counts: Counter[str] = Counter()
    stream.write(f'{{"version": {VERSION}, "outputs": [')
    for index, (name, found) in enumerate(chain(first, pending)):
        counts[word_of(found)] += 1
        stream.write(",\n" if index else "\n")
        value = found.to_json() if isinstance(found, Checked) else {"error": str(found)}
        stream.write(json.dumps({"name": name, **value}, ensure_ascii=False))
    stream.write(f'\n], "summary": {json.dumps(dict(counts))}}}\n')


def print_text(
    verdicts: Iterable[tuple[str, Verdict]], stream: TextIO, *, quiet: bool = False
) -> None:
    """Each verdict, and a table of totals where there are several.

    Of one output that cannot be read nothing is printed: the error says it all.
    """
    pending = iter(verdicts)
    first = list(islice(pending, 2))
    if len(first) == 1 and isinstance(first[0][1], InputError):
        return
    counts: Counter[str] = Counter()
    for name, found in chain(first, pending):
        counts[word_of(found)] += 1
        if isinstance(found, InputError):
            lines = [f"  error     {printable(str(found))}"]
        else:
            lines = _details(found)
        if not (quiet and isinstance(found, Checked) and found.passed):
            stream.write("\n".join([f"{printable(name)}: {word_of(found)}", *lines]) + "\n")
    if sum(counts.values()) > 1 and not quiet:
        stream.write("\n")
        for word, count in counts.most_common():
            stream.write(f"{count:>8}  {word}\n")


def word_of(found: Verdict) -> str:
    """The verdict in a word."""
    if isinstance(found, InputError):
        return "not read"
    if found.passed:
        return "ok" if found.tag else "ok (no tag applies)"
    if not found.complete:
        return "cut short"
    if not found.accepted:
        return "refused"
    if not all(call.valid for call in found.calls):
        return "wrong arguments"
    return "not what was asked"


def _wanted(text: str) -> str:
    """What could stand there: a text in quotes, or what stands for many texts as it is."""
    return text if text in (ALMOST_ANY, END) else repr(text)


def _details(found: Checked) -> list[str]:
    lines = []
    if found.position is not None:
        where = found.position
        lines.append(f"  refused at line {where.line}, column {where.column}, byte {where.byte}")
        lines.append(f"  after     {printable(found.before) or '(the start)'}")
    if found.expected:
        lines.append(f"  expected  {printable(' '.join(map(_wanted, found.expected)))}")
    if found.nearest:
        lines.append(f"  nearest   {printable(found.nearest)}")
    for call in found.calls:
        lines.append(f"  call      {printable(call.name)}({printable(dumps(call.arguments))})")
        lines += [f"            {printable(error)}" for error in call.errors]
    lines += [f"  problem   {printable(problem)}" for problem in found.problems]
    lines += [f"  asked     {printable(why)}" for why in found.honours.why]
    return lines
