"""Words of a shell line with their offsets: enough of the shell to read how a server starts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

Item = TypeVar("Item")

_SPACE = " \t\r"
_REDIRECT = re.compile(r"\d*(?:>>|>&|<&|<<<|(?P<here><<-?)|>|<)(?P<number>\d+|-)?|&>>?")
_ARRAY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_DEEPEST = 100
"""Expansions inside each other; more is no script that somebody wrote."""
_OPERATORS = ("&&", "||", ";;", ";", "|", "&", "\n", "(", ")")


@dataclass(frozen=True, slots=True)
class Token:
    """A word or an operator. ``end`` is the offset after it."""

    text: str
    offset: int
    end: int
    operator: bool = False


class UnclosedQuote(ValueError):
    """A quote that nothing closes.

    Attributes:
        offset: where it opens.
    """

    def __init__(self, offset: int) -> None:
        super().__init__("a quote that is not closed")
        self.offset = offset


def tokens(text: str) -> Iterator[Token]:
    """The words and operators of a script. Variables stay as written.

    Redirections go, and here-documents with them. An array's value comes as a word that ends
    in ``=(``, its items, and a word ``)``: none of them is an operator.

    Raises:
        UnclosedQuote: a quote has no end.
    """
    at = 0
    to_file = array = False
    ends: list[str] = []
    here = False
    while at < len(text):
        redirect = _REDIRECT.match(text, at)
        if text[at] in _SPACE or (array and text[at] == "\n"):
            at += 1
        elif redirect is not None:
            here = redirect["here"] is not None
            to_file = redirect["number"] is None
            at = redirect.end()
        elif text.startswith(("\\\n", "\\\r\n"), at):
            at = text.index("\n", at) + 1
        elif text[at] == "#":
            at = _line_end(text, at)
        elif array and text[at] == ")":
            yield Token(")", at, at + 1)
            array = False
            at += 1
        elif operator := next((op for op in _OPERATORS if text.startswith(op, at)), None):
            yield Token(operator, at, at + len(operator), True)
            at += len(operator)
            to_file = here = False
            if operator == "\n" and ends:
                at = _after_documents(text, at, ends)
                ends = []
        else:
            word = _word(text, at)
            if here:
                ends.append(word.text)
            elif _opens_array(text, word):
                word = Token(f"{word.text}(", word.offset, word.end + 1)
                array = True
            if not to_file:
                yield word
            to_file = here = False
            at = word.end


def _opens_array(text: str, word: Token) -> bool:
    return text.startswith("(", word.end) and bool(_ARRAY.fullmatch(word.text))


def _after_documents(text: str, at: int, ends: list[str]) -> int:
    """The offset after the here-documents that begin at an offset."""
    for end in ends:
        while at < len(text):
            stop = _line_end(text, at)
            line = text[at:stop].strip()
            at = stop + 1
            if line == end:
                break
    return min(at, len(text))


def commands(text: str) -> Iterator[list[Token]]:
    """The simple commands of a script, each a list of words.

    Raises:
        UnclosedQuote: a quote has no end.
    """
    found = ((token, token.text if token.operator else None) for token in tokens(text))
    yield from (words for words in simple(found) if words)


def simple(words: Iterable[tuple[Item, str | None]]) -> Iterator[list[Item]]:
    """Groups of words between operators; the patterns of a ``case`` go.

    Args:
        words: each word, and the operator that it is, if it is one.
    """
    group: list[Item] = []
    depth = 0
    for word, operator in words:
        if operator is None:
            group.append(word)
            continue
        pattern = operator == ")" and depth == 0
        depth = max(0, depth + (operator == "(") - (operator == ")"))
        if not pattern:
            yield group
        group = []
    yield group


def _ends_word(text: str, at: int) -> bool:
    return text[at] in _SPACE or text[at] in "<>" or text.startswith(_OPERATORS, at)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _word(text: str, start: int) -> Token:
    parts: list[str] = []
    at = start
    while at < len(text) and not _ends_word(text, at):
        char = text[at]
        if char == "'":
            end = _closing(text, at, "'")
            parts.append(text[at + 1 : end])
            at = end + 1
        elif char == '"':
            piece, at = _double(text, at)
            parts.append(piece)
        elif char == "\\":
            escaped, width = _escaped(text, at)
            parts.append(escaped)
            at += width
        elif text.startswith(("${", "$("), at):
            end = _expansion(text, at)
            parts.append(text[at:end])
            at = end
        else:
            parts.append(char)
            at += 1
    return Token("".join(parts), start, at)


def _escaped(text: str, at: int) -> tuple[str, int]:
    """What a backslash and what follows it stand for, and how many characters they are."""
    following = text[at + 1 : at + 2]
    if following == "\n":
        return "", 2
    if text.startswith("\r\n", at + 1):
        return "", 3
    return following, 2


def _double(text: str, start: int, depth: int = 0) -> tuple[str, int]:
    """The text in double quotes, and the offset after them."""
    parts: list[str] = []
    at = start + 1
    while at < len(text) and text[at] != '"':
        if text[at] == "\\" and text[at + 1 : at + 2] in tuple('"\\$`\n'):
            parts.append("" if text[at + 1] == "\n" else text[at + 1])
            at += 2
        elif text.startswith(("${", "$("), at):
            end = _expansion(text, at, depth + 1, quoted=True)
            parts.append(text[at:end])
            at = end
        else:
            parts.append(text[at])
            at += 1
    if at >= len(text):
        raise UnclosedQuote(start)
    return "".join(parts), at + 1


def _expansion(text: str, start: int, depth: int = 0, *, quoted: bool = False) -> int:
    """The offset after ``${...}`` or ``$(...)``, quotes and others inside it included."""
    if depth > _DEEPEST:
        raise UnclosedQuote(start)
    opening = text[start + 1]
    closing = ")" if opening == "(" else "}"
    open_ = 1
    at = start + 2
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 2
        elif char == "'" and (opening == "(" or not quoted):
            at = _closing(text, at, "'") + 1
        elif char == '"':
            _, at = _double(text, at, depth + 1)
        elif text.startswith(("${", "$("), at):
            at = _expansion(text, at, depth + 1, quoted=quoted)
        else:
            open_ += (char == opening and opening == "(") - (char == closing)
            at += 1
            if open_ == 0:
                return at
    raise UnclosedQuote(start)


def _closing(text: str, at: int, mark: str) -> int:
    end = text.find(mark, at + 1)
    if end < 0:
        raise UnclosedQuote(at)
    return end
