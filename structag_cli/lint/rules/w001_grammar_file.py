"""W001: a grammar file that is none, or whose tag would be broken."""

from collections.abc import Iterator

from structag_cli.errors import InputError
from structag_cli.findings import Found, Severity
from structag_cli.formats.check import problems
from structag_cli.formats.model import Grammar
from structag_cli.lint.grammars import read_subject
from structag_cli.lint.rule import Rule
from structag_cli.lint.samples import grammar_file
from structag_cli.lint.subject import Subject
from structag_cli.place import escape_pointer


def check(subject: Subject) -> Iterator[Found]:
    """The first field of a wrong type, or every rule that is broken."""
    grammar = read_subject(subject)
    if isinstance(grammar, InputError):
        place = grammar.place if grammar.place and grammar.place.line else None
        yield Found(subject.pointer, grammar.message, grammar.mend, place=place)
    elif isinstance(grammar, Grammar):
        for fault in problems(grammar):
            pointer = "".join(f"/{escape_pointer(str(key))}" for key in fault.path)
            yield Found(subject.pointer + pointer, fault.message, fault.mend)


RULE = Rule(
    code="W001",
    name="grammar-file",
    severity=Severity.ERROR,
    summary="A grammar file that cannot be used.",
    why=(
        "A field of the wrong type or an unknown one, a trigger that starts no call, a "
        "`{name}` that is missing: the same checks that every command makes when it reads the"
        " file, but all of them at once, each with its line."
    ),
    mend="`structag grammar schema` prints the format",
    check=check,
    bad=grammar_file(triggers=["<cal>"]),
    good=grammar_file(),
)
