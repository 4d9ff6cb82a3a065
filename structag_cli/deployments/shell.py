"""Words of a shell line with their offsets: enough of the shell to read how a server starts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SPACE = " \t\r"
_REDIRECT = re.compile(r"\d*(?:>>|>&|<&|<<<|<<|>|<)(?P<number>\d+|-)?|&>>?")
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
    """The words and operators of a script. Variables stay as written, redirections go.

    Raises:
        UnclosedQuote: a quote has no end.
    """
    at = 0
    to_file = False
    while at < len(text):
        redirect = _REDIRECT.match(text, at)
        if text[at] in _SPACE:
            at += 1
        elif redirect is not None:
            to_file = redirect["number"] is None
            at = redirect.end()
        elif text.startswith(("\\\n", "\\\r\n"), at):
            at = text.index("\n", at) + 1
        elif text[at] == "#":
            at = _line_end(text, at)
        else:
            operator = next((op for op in _OPERATORS if text.startswith(op, at)), None)
            if operator is not None:
                yield Token(operator, at, at + len(operator), True)
                at += len(operator)
                to_file = False
            else:
                word = _word(text, at)
                if not to_file:
                    yield word
                to_file = False
                at = word.end


def commands(text: str) -> Iterator[list[Token]]:
    """The simple commands of a script, each a list of words.

    Raises:
        UnclosedQuote: a quote has no end.
    """
    words: list[Token] = []
    for token in tokens(text):
        if token.operator:
            if words:
                yield words
            words = []
        else:
            words.append(token)
    if words:
        yield words


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
            end = _closing(text, at, "}" if text[at + 1] == "{" else ")")
            parts.append(text[at : end + 1])
            at = end + 1
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


def _double(text: str, start: int) -> tuple[str, int]:
    """The text in double quotes, and the offset after them."""
    parts: list[str] = []
    at = start + 1
    while at < len(text) and text[at] != '"':
        if text[at] == "\\" and text[at + 1 : at + 2] in tuple('"\\$`\n'):
            parts.append("" if text[at + 1] == "\n" else text[at + 1])
            at += 2
        else:
            parts.append(text[at])
            at += 1
    if at >= len(text):
        raise UnclosedQuote(start)
    return "".join(parts), at + 1


def _closing(text: str, at: int, mark: str) -> int:
    end = text.find(mark, at + 1)
    if end < 0:
        raise UnclosedQuote(at)
    return end
