"""A grammar file's examples, as texts to try on the tags that it builds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from structag_cli.formats.model import Grammar
from structag_cli.lint.grammars import tag_of

if TYPE_CHECKING:
    from structag_cli.engine.text import TextGrammar


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


def try_on_tag(tag: dict[str, Any], text: str) -> dict[str, Any]:
    """Whether xgrammar takes a text for a finished output of a tag, and how far it reads it."""
    from structag_cli.errors import EngineError

    try:
        seen = _compiled(json.dumps(tag)).check(text)
    except EngineError as err:
        return {"error": err.message}
    return {"accepted": seen.accepted, "position": seen.position}


@lru_cache(maxsize=8)
def _compiled(tag: str) -> TextGrammar:
    from structag_cli.engine.text import compile_text

    return compile_text(json.loads(tag))
