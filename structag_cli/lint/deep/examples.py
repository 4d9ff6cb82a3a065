"""A grammar file's examples, as texts to try on the tags that it builds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from structag_cli.formats.model import Grammar
from structag_cli.lint.grammars import tag_of


@dataclass(frozen=True, slots=True)
class Trial:
    """A text, the tag it is for, what is expected, and where the file says so."""

    pointer: str
    text: str
    tag: dict[str, Any]
    accepted: bool


def trials(grammar: Grammar) -> Iterator[Trial]:
    """Everything that the file says of texts, in file order; none without a trigger."""
    if not grammar.triggers:
        return
    examples = grammar.examples
    for key, wanted in (("accept", True), ("reject", False)):
        for index, example in enumerate(getattr(examples, key)):
            tag = tag_of(grammar, examples.tools, example.choice, example.parallel)
            yield Trial(f"/examples/{key}/{index}/text", example.text, tag, wanted)
    for index, parsed in enumerate(examples.parse):
        tag = tag_of(grammar, examples.tools, "auto", True)
        yield Trial(f"/examples/parse/{index}/text", parsed.text, tag, True)
    for index, each in enumerate(grammar.disagreements):
        tag = tag_of(grammar, each.tools, each.choice, True)
        yield Trial(f"/disagreements/{index}/text", each.text, tag, False)
        yield Trial(f"/disagreements/{index}/accepted", each.accepted, tag, True)


def try_all(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Run trials, given as JSON, on xgrammar; each tag is compiled once."""
    from structag_cli.engine.text import TextGrammar, compile_text
    from structag_cli.errors import EngineError

    compiled: dict[str, TextGrammar | str] = {}
    found: list[dict[str, Any]] = []
    for row in rows:
        key = json.dumps(row["tag"])
        if key not in compiled:
            try:
                compiled[key] = compile_text(row["tag"])
            except EngineError as err:
                compiled[key] = err.message
        grammar = compiled[key]
        if isinstance(grammar, str):
            found.append({"error": grammar})
            continue
        seen = grammar.check(row["text"])
        found.append({"accepted": seen.accepted, "position": seen.position})
    return found
