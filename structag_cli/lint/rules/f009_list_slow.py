"""F009: the tools together take long to compile."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.silent import probed
from structag_cli.lint.subject import Subject

LIMIT = 2.0
"""Seconds, as for one tool (F003)."""


def check(subject: Subject) -> Iterator[Found]:
    """One finding a list, where no tool is slow by itself."""
    taken = sorted(((r.seconds, r.size, t.title) for t, r in probed(subject)), reverse=True)
    total, size = sum(t[0] for t in taken), sum(t[1] for t in taken)
    if total > LIMIT >= taken[0][0]:
        most = ", ".join(f"{name} {seconds:.2f} s" for seconds, _, name in taken[:3])
        yield Found(
            subject.pointer,
            f"{len(taken)} tools take {total:.1f} s to compile, grammars of {size} bytes; "
            f"most: {most}",
        )


RULE = Rule(
    code="F009",
    name="list-slow",
    severity=Severity.WARNING,
    summary="The tools of a list together take long to compile.",
    why=(
        "One tag holds all tools of a request, so the first request waits for all of them. "
        "Measured one by one, without a vocabulary; a real one takes longer."
    ),
    mend="send fewer tools a request, or shorten those named",
    check=check,
    deep=True,
    bad=None,
    good=None,
    source="xgrammar 0.2.9, measured",
)
