"""E003: tools or a request that no dialect reads."""

from collections.abc import Iterator

from structag_cli.errors import InputError
from structag_cli.findings import Found, Severity
from structag_cli.lint.requests import read_request
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Read the tools as every other command does."""
    found = read_request(subject)
    if not isinstance(found, InputError) or "structural tag" in found.message:
        return
    pointer = found.place.pointer if found.place else subject.pointer
    yield Found(pointer, found.message, found.mend)


RULE = Rule(
    code="E003",
    name="malformed",
    severity=Severity.ERROR,
    summary="Tools or a request that no dialect reads.",
    why="A field has the wrong type, or a list mixes dialects. Servers answer 400.",
    mend="write it as the dialect asks",
    check=check,
    bad=[{"type": "function", "function": {"name": "f", "description": "Do f.", "strict": "yes"}}],
    good=[{"type": "function", "function": {"name": "f", "description": "Do f.", "strict": True}}],
)
