"""D001: a flag or variable that nothing reads: misspelt, or glued to its value."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.deployments import faults, manifest
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each misspelt name."""
    yield from faults(subject, "name")


RULE = Rule(
    code="D001",
    name="unknown-flag",
    severity=Severity.ERROR,
    summary="A flag or variable that nothing reads: misspelt, or glued to its value.",
    why=(
        "A worker refuses a flag that it does not know and does not start; a variable that "
        "nothing reads is silently without effect. An item of a list that holds a flag, a space "
        "and its value is one argument: it is not split."
    ),
    mend="write the name that the release has",
    fix=(
        "A misspelt flag or variable is corrected where one known name is at most two letters "
        "away, no other is near, and the process does not have that one, too; a flag and its "
        "value in one item get a `=` between them. In manifests, where the argument is an item "
        "of its own; not in scripts."
    ),
    check=check,
    bad=manifest("--dyn-tool-call-parser", "hermes", "--dyn-enable-structural-tags"),
    good=manifest("--dyn-tool-call-parser", "hermes", "--dyn-enable-structural-tag"),
    source="DynamoRuntimeArgGroup, Dynamo 1.3 to 1.6",
)
