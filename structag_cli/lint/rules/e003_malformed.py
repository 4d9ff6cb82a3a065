"""E003: tools or a request that no dialect reads."""

from collections.abc import Iterator

from structag_cli.dialects import tool_request_from_value
from structag_cli.errors import InputError
from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.place import Place


def check(subject: Subject) -> Iterator[Found]:
    """Read the tools as every other command does; keep the request for other rules."""
    if subject.kind not in ("tools", "request"):
        return
    where = Place(subject.document.file, pointer=subject.pointer)
    try:
        subject.request = tool_request_from_value(subject.value, subject.document.file, place=where)
    except InputError as err:
        if "structural tag" in err.message:
            return
        pointer = err.place.pointer if err.place else subject.pointer
        yield Found(pointer, err.message, err.mend)


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
