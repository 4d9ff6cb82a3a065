"""``structag rule``: a rule's page, or the list of rules."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer


class RuleFormat(str, Enum):
    """How rules are printed."""

    text = "text"
    markdown = "markdown"
    json = "json"


def rule(
    code: Annotated[
        str | None, typer.Argument(help="A rule's code or name; without it, the list.")
    ] = None,
    format: Annotated[
        RuleFormat, typer.Option("--format", "-f", help="How to print it.")
    ] = RuleFormat.text,
) -> None:
    """Explain a rule: what it finds, why it matters, how to mend it, with examples."""
    import json

    from structag_cli.commands.output import write
    from structag_cli.errors import UsageError
    from structag_cli.lint.pages import list_of_rules, page, record
    from structag_cli.lint.registry import rules

    known = rules()
    if code is None:
        chosen = list(known.values())
    else:
        chosen = [r for r in known.values() if code.upper() == r.code or code == r.name]
        if not chosen:
            raise UsageError(f"no rule {code}", mend="`structag rule` lists them")
    if format is RuleFormat.json:
        write(json.dumps([record(each) for each in chosen], indent=2, ensure_ascii=False), None)
    elif code is None:
        write(list_of_rules(chosen), None)
    else:
        write(page(chosen[0]), None)
