"""E002: a file that holds nothing to lint."""

from structag_cli.findings import Severity
from structag_cli.lint.rule import Rule

RULE = Rule(
    code="E002",
    name="unknown-kind",
    severity=Severity.WARNING,
    summary="A file named on the command line holds nothing that can be linted.",
    why="Tool lists, requests, structural tags, grammar files, schemas and logs of these are "
    "told apart by their keys. A file that is none of them is passed over, silently where a "
    "folder is searched.",
    mend="give a tool list, a request, a tag, a grammar file, a schema or a log",
    check=lambda subject: (),
    bad={"hello": "world"},
    good=[{"type": "function", "function": {"name": "f", "description": "Do f."}}],
)
