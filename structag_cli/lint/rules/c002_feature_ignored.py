"""C002: the target release silently ignores a feature of the tag."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.compat import unsupported
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    yield from unsupported(subject, "accepted-but-wrong")


RULE = Rule(
    code="C002",
    name="feature-ignored",
    severity=Severity.ERROR,
    summary="The target release silently ignores a feature of the tag.",
    why=(
        "The release compiles the tag and does not do what it says: worse than an error, "
        "since nothing shows it. `style` was ignored from 0.1.25 to 0.1.31."
    ),
    mend="use a release that has it, or write the tag without it",
    check=check,
    bad={
        "type": "structural_tag",
        "format": {
            "type": "json_schema",
            "json_schema": {"type": "object", "properties": {"a": {"type": "string"}}},
            "style": "qwen_xml",
        },
    },
    good={"type": "structural_tag", "format": {"type": "const_string", "value": "x"}},
    target="xgrammar==0.1.26",
    source="25 releases, each measured on probes",
)
