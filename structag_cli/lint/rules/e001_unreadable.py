"""E001: a file that cannot be read."""

from structag_cli.findings import Severity
from structag_cli.lint.rule import Rule

RULE = Rule(
    code="E001",
    name="unreadable",
    severity=Severity.ERROR,
    summary="A file or a line of a log cannot be read.",
    why="What cannot be read cannot be linted, and no server will read it either.",
    mend="mend the file at that place",
    check=lambda subject: (),
    bad='[{"type": "function", "function": {"name": "f"}',
    good='[{"type": "function", "function": {"name": "f", "description": "Do f."}}]',
)
