"""E004: a rule could not read what it looked at."""

from structag_cli.findings import Severity
from structag_cli.lint.rule import Rule

RULE = Rule(
    code="E004",
    name="rule-failed",
    severity=Severity.WARNING,
    summary="A rule could not read what it looked at.",
    why="The value is so far from what it should be that a rule failed on it. The other rules "
    "went on.",
    mend="mend the other findings first; if this one stays, report it",
    check=lambda subject: (),
    bad=None,
    good=None,
)
