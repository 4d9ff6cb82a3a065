"""S110: a string cannot hold the text that closes a value in this style."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.silent import found_of, once_a_place
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for tool, found, _ in once_a_place(subject, "markup"):
        yield found_of(tool, found, "this string cannot hold the closing mark of the style")


RULE = Rule(
    code="S110",
    name="markup-in-values",
    severity=Severity.WARNING,
    summary="A string cannot hold the text that closes a value in this style.",
    why=(
        "XML-like styles write strings raw: a value that holds the closing mark ends there."
        " The schema allows it, no escape exists, and the call cannot be written."
    ),
    mend="choose a parser with JSON arguments for such tools, or encode the value",
    check=check,
    bad=None,
    good=None,
    deep=True,
)
