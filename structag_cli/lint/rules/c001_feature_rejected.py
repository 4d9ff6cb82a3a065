"""C001: the target release refuses a feature of the tag."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.compat import unsupported
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    yield from unsupported(subject, "rejected")


RULE = Rule(
    code="C001",
    name="feature-rejected",
    severity=Severity.ERROR,
    summary="The target release refuses a feature of the tag.",
    why=(
        "An older xgrammar does not know a node, a field or a lookahead in a pattern and answers "
        "with an error. Tools are judged by the tag that their parser gets."
    ),
    mend="use a release that has it, or write the tag without it",
    check=check,
    bad={"type": "structural_tag", "format": {"type": "any_tokens", "exclude_tokens": ["x"]}},
    good={"type": "structural_tag", "format": {"type": "const_string", "value": "x"}},
    target="xgrammar==0.1.25",
    source="25 releases, each measured on probes",
)
