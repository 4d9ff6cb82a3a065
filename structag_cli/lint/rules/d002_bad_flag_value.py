"""D002: a value that its flag or variable does not take."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.deployments import faults, manifest
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each wrong value."""
    yield from faults(subject, "value")


RULE = Rule(
    code="D002",
    name="bad-flag-value",
    severity=Severity.ERROR,
    summary="A value that its flag or variable does not take.",
    why=(
        "Names of parsers, scope and schema mode are fixed lists; switches take no value; "
        "Kubernetes takes text alone for arguments and variables. A worker refuses a wrong value "
        "and does not start. A variable for a switch is worse: every word but true, 1, yes and on "
        "counts as off."
    ),
    mend="write a value that the flag takes",
    fix=(
        "Names and modes that differ from a known one in case or separators alone are written as "
        "it is; a switch loses its value (`=true` goes, `=false` becomes the `--no-` form); "
        "numbers and booleans where Kubernetes takes text are put in quotes as they stand. "
        "Other names of parsers are left alone, however near: each is another format. Not in "
        "scripts."
    ),
    check=check,
    bad=manifest("--dyn-tool-call-parser", "hermez", "--dyn-enable-structural-tag"),
    good=manifest("--dyn-tool-call-parser", "hermes", "--dyn-enable-structural-tag"),
    source="DynamoRuntimeArgGroup, Dynamo 1.3 to 1.6",
)
