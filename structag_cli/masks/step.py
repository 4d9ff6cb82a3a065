"""One step: what may come after a prefix, and why a token may not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from structag_cli.engine.text import token_strings
from structag_cli.engine.tokens import TokenCompiler, TokenGrammar, Walker
from structag_cli.errors import UsageError
from structag_cli.masks.groups import Group, by_first_character, by_meaning, markers_of
from structag_cli.masks.mask import Mask
from structag_cli.masks.place_in_tag import PlaceInTag, place_in_tag
from structag_cli.masks.quoting import piece
from structag_cli.tokenizers.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class Query:
    """``--token``: whether one token is allowed, and if not why and what instead."""

    id: int
    text: str
    allowed: bool
    why: str
    place: str
    instead: str


@dataclass(frozen=True, slots=True)
class Step:
    """What may come next.

    Attributes:
        ids: the prefix.
        text: the prefix as text.
        mask: what may follow.
        forced_text: what must follow, if anything must.
        stop_ids_allowed: stop tokens among what may follow.
        place: the part of the tag that was reached.
        words: what the grammar expects, in words.
        meaning: the allowed tokens by meaning.
        first: the allowed tokens by their first character.
    """

    ids: tuple[int, ...]
    text: str
    mask: Mask
    forced_text: str
    stop_ids_allowed: tuple[int, ...]
    place: PlaceInTag
    words: str
    meaning: tuple[Group, ...]
    first: tuple[Group, ...]
    queries: tuple[Query, ...] = ()


class Stepper:
    """A tag on a tokenizer."""

    def __init__(self, tokenizer: Tokenizer, tag: Mapping[str, Any]) -> None:
        self.tokenizer = tokenizer
        self.tag = tag
        self.pieces = tokenizer.pieces
        self.compiler = TokenCompiler(self.pieces, tokenizer.stop_ids())
        self.grammar: TokenGrammar = self.compiler.compile(tag)
        self._markers = markers_of(tag)

    def text(self, ids: Sequence[int]) -> str:
        """Ids as text; bytes that are no character as ``\\xNN``."""
        return b"".join(self.pieces[i] for i in ids).decode("utf-8", "backslashreplace")

    def at(self, ids: Sequence[int], queries: Sequence[int] = ()) -> Step:
        """What may follow a prefix.

        Raises:
            UsageError: the grammar refuses the prefix, or an id is out of range.
        """
        check_ids(self.tokenizer, [*ids, *queries])
        walker = self.grammar.walker()
        taken = walker.accept_all(ids)
        if taken < len(ids):
            raise self._refused(walker, ids, taken)
        mask = self.mask(walker)
        text = self.text(ids)
        stops = tuple(i for i in self.compiler.stop_ids if i in mask)
        forced = walker.forced_text()
        place = place_in_tag(self.tag, text)
        return Step(
            ids=tuple(ids),
            text=text,
            mask=mask,
            forced_text=forced,
            stop_ids_allowed=stops,
            place=place,
            words=self.words(mask, forced, stops, place, walker.ended),
            meaning=tuple(
                by_meaning(mask, self.pieces, self.compiler.stop_ids, self._markers, text)
            ),
            first=tuple(by_first_character(mask, self.pieces)),
            queries=tuple(self.query(walker, mask, text, index) for index in queries),
        )

    def mask(self, walker: Walker) -> Mask:
        """The walker's mask as a value of its own."""
        return Mask(walker.words().copy(), self.tokenizer.size, len(self.tokenizer.padding))

    def words(
        self, mask: Mask, forced: str, stops: Sequence[int], place: PlaceInTag, ended: bool
    ) -> str:
        """What the grammar expects, as a sentence."""
        if ended:
            return "nothing: the output has ended"
        if forced:
            return f"exactly {piece(forced.encode())}: {place.words}"
        if mask.allowed and mask.allowed == len(stops):
            return "the end and nothing else"
        if not mask.allowed:
            return "nothing: no token is allowed, so the output can neither go on nor end"
        end = ", or the end" if stops else ""
        return f"{place.words}{end} ({mask.allowed} tokens)"

    def query(self, walker: Walker, mask: Mask, text: str, index: int) -> Query:
        """Is a token allowed after what the walker took, and if not, why not?"""
        if index in mask:
            return Query(index, self.text([index]), True, "", "", "")
        why, place = self._why(walker, text, index)
        return Query(index, self.text([index]), False, why, place, self.instead(walker, mask))

    def instead(self, walker: Walker, mask: Mask, most: int = 8) -> str:
        """What would be accepted, in few words."""
        forced = walker.forced_text()
        if forced:
            return piece(forced.encode())
        ids = mask.allowed_ids()
        stops = set(self.compiler.stop_ids)
        shown = ", ".join(
            f"{self.tokenizer.text(i)} (stop)" if i in stops else piece(self.pieces[i])
            for i in ids[:most]
        )
        return shown + (f" and {len(ids) - most} more" if len(ids) > most else "")

    def _why(self, walker: Walker, text: str, index: int) -> tuple[str, str]:
        data = self.pieces[index]
        if not data:
            return "no token has this id: padding or a hole, which xgrammar never allows", ""
        if index in self.compiler.stop_ids:
            place = place_in_tag(self.tag, text)
            return f"a stop token, and the output is not complete: {place.words}", place.pointer
        if data.decode("utf-8", "replace") in set(token_strings(self.tag)):
            return "the tag excludes this token", "/format"
        for string in excluded_strings(self.tag):
            if string in text + data.decode("utf-8", "ignore"):
                return f"it would complete the excluded string {string!r}", "/format"
        fitting = _fitting(walker, data)
        place = place_in_tag(self.tag, text + data[:fitting].decode("utf-8", "ignore"))
        if fitting:
            head, tail = piece(data[:fitting]), piece(data[fitting:])
            return f"{head} fits, {tail} does not: {place.words}", place.pointer
        return f"it does not fit: {place.words}", place.pointer

    def _refused(self, walker: Walker, ids: Sequence[int], taken: int) -> UsageError:
        before = self.text(ids[:taken])
        mask = self.mask(walker)
        query = self.query(walker, mask, before, ids[taken])
        byte = sum(len(self.pieces[i]) for i in ids[:taken])
        at = f" (tag {query.place})" if query.place else ""
        return UsageError(
            f"the grammar refuses the prefix at token {taken}, {ids[taken]} "
            f"{piece(self.pieces[ids[taken]])}, byte {byte}: {query.why}{at}",
            mend=f"accepted there: {query.instead}",
        )


def check_ids(tokenizer: Tokenizer, ids: Sequence[int]) -> None:
    """Refuse ids that the model does not have.

    Raises:
        UsageError: one is out of range.
    """
    for number, index in enumerate(ids):
        if not 0 <= index < tokenizer.size:
            raise UsageError(
                f"token {number} is {index}, and the vocabulary ends at {tokenizer.size - 1}",
                mend="--vocab-size gives a wider model",
            )


def excluded_strings(node: Any) -> list[str]:
    """Every string that an ``excludes`` of the tag names."""
    if isinstance(node, list):
        return [string for item in node for string in excluded_strings(item)]
    if not isinstance(node, Mapping):
        return []
    own = [s for s in node.get("excludes") or () if isinstance(s, str) and s]
    inner = [s for k, v in node.items() if k != "json_schema" for s in excluded_strings(v)]
    return own + inner


def _fitting(walker: Walker, data: bytes) -> int:
    """How many bytes of a refused token the grammar would still take."""
    for size in range(len(data) - 1, 0, -1):
        if walker.accept_text(data[:size]):
            walker.back(1)
            return size
    return 0
