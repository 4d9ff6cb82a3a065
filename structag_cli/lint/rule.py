"""What a rule is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from structag_cli.findings import Found, Severity
from structag_cli.lint.subject import Subject

Check = Callable[[Subject], Iterable[Found]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: what it looks for, and an example that it finds and one that it does not.

    ``code`` is a letter for the family and three digits. ``deep`` rules compile grammars;
    they run in a child process. ``opt_in`` rules run where their code is selected. ``bad``
    and ``good`` are documents, ``parser`` and ``target`` what the examples are linted for,
    ``template`` the text of a chat template beside them.
    ``fix`` says what ``--fix`` mends and why that is safe; empty where nothing is.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    why: str
    mend: str
    check: Check
    bad: Any
    good: Any
    deep: bool = False
    opt_in: bool = False
    parser: str | None = None
    target: str | None = None
    template: str | None = None
    source: str = ""
    fix: str = ""
