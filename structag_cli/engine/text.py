"""Does a tag accept a text? Answered byte by byte, on no tokenizer in particular.

The grammar is compiled over a vocabulary of the 256 bytes, so a refusal is known to
the byte. Strings that a tag names as tokens (``exclude_tokens``) are given tokens of
their own, since the tag does not compile otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from structag_cli.engine.native import captured_warnings, clean_message, xgrammar
from structag_cli.errors import EngineError
from structag_cli.place import escape_pointer
from structag_cli.watch import native_code

_BYTES = 256


@dataclass(frozen=True, slots=True)
class Acceptance:
    """How far a text goes.

    ``accepted``: the whole text is a finished output of the tag. ``prefix``: it can
    still become one. ``position``: bytes accepted before the first refused one, the
    length of the text when none is refused.
    """

    accepted: bool
    prefix: bool
    position: int


class TextGrammar:
    """A compiled tag that reads bytes."""

    def __init__(self, compiled: Any, stop_id: int, warnings: tuple[str, ...]) -> None:
        self.compiled = compiled
        self.stop_id = stop_id
        self.warnings = warnings

    def check(self, text: str | bytes) -> Acceptance:
        """Feed a whole text from the start."""
        with native_code():
            return self._check(text.encode() if isinstance(text, str) else text)

    def _check(self, data: bytes) -> Acceptance:
        matcher = self.matcher()
        if data and matcher.accept_string(data) and self._may_end(matcher):
            return Acceptance(True, True, len(data))
        # Byte by byte, from the start: the place of a refusal is wanted, and grammars over
        # tokens lose paths when they are fed a whole text.
        matcher = self.matcher()
        for position, byte in enumerate(data):
            if not matcher.accept_token(byte):
                return Acceptance(False, False, position)
        return Acceptance(self._may_end(matcher), True, len(data))

    def matcher(self) -> Any:
        """A fresh xgrammar matcher; token ids 0 to 255 are the bytes."""
        return xgrammar().GrammarMatcher(self.compiled)

    def _may_end(self, matcher: Any) -> bool:
        # is_completed is false for grammars over token edges even where a stop
        # token is accepted, so the stop token itself is the judge.
        return bool(matcher.accept_token(self.stop_id))


@cache
def _compiler(tokens: tuple[str, ...]) -> tuple[Any, int]:
    xgr = xgrammar()
    vocabulary = [bytes([value]) for value in range(_BYTES)]
    vocabulary += [token.encode() for token in tokens]
    stop_id = len(vocabulary)
    vocabulary.append(b"<structag:stop>")
    info = xgr.TokenizerInfo(vocabulary, vocab_type=xgr.VocabType.RAW, stop_token_ids=[stop_id])
    return xgr.GrammarCompiler(info, max_threads=1, cache_enabled=False), stop_id


def compile_text(tag: Mapping[str, Any]) -> TextGrammar:
    """Compile a structural tag to read text.

    Raises:
        EngineError: xgrammar refuses the tag.
    """
    compiler, stop_id = _compiler(tuple(sorted(set(token_strings(tag)))))
    warnings: list[str] = []
    with captured_warnings(warnings), native_code():
        try:
            compiled = compiler.compile_structural_tag(json.dumps(tag))
        except Exception as err:
            raise EngineError(
                f"xgrammar refuses the tag: {clean_message(str(err))}",
                mend="`structag show --format json` prints the tag",
            ) from None
    return TextGrammar(compiled, stop_id, tuple(warnings))


def grammar_text(tag: Mapping[str, Any]) -> str:
    """The EBNF that xgrammar compiles a tag to.

    Raises:
        EngineError: xgrammar refuses the tag.
    """
    return str(compile_text(tag).compiled.grammar)


def token_strings(node: Any) -> Iterator[str]:
    """Every string that a tag means as one token."""
    return (text for text, _ in placed_token_strings(node))


def placed_token_strings(node: Any, pointer: str = "") -> Iterator[tuple[str, str]]:
    """Every string that a tag means as one token, with its pointer."""
    if isinstance(node, Mapping):
        for key, value in node.items():
            at = f"{pointer}/{escape_pointer(str(key))}"
            if key in ("exclude_tokens", "trigger_tokens", "tokens") and isinstance(value, list):
                yield from (
                    (item, f"{at}/{i}") for i, item in enumerate(value) if isinstance(item, str)
                )
            elif key == "token" and isinstance(value, str):
                yield value, at
            elif key != "json_schema":
                yield from placed_token_strings(value, at)
    elif isinstance(node, list):
        for index, item in enumerate(node):
            yield from placed_token_strings(item, f"{pointer}/{index}")
