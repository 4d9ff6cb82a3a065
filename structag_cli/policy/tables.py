"""The policy's two tables as data, for ``explain`` and the docs.

Source: Dynamo's structural-tag page (activation scope; ``tool_choice: none`` and
token banning), checked against the conformance corpus of Dynamo 1.3.1.
"""

from __future__ import annotations

from dataclasses import dataclass

from structag_cli.policy.settings import Scope
from structag_cli.request import ChoiceMode


@dataclass(frozen=True, slots=True)
class ScopeRow:
    """When a tag applies, for one scope and the tool choices that share a rule."""

    scope: Scope
    choices: tuple[ChoiceMode, ...]
    when: str


SCOPE_ROWS: tuple[ScopeRow, ...] = (
    ScopeRow("auto", ("required", "named"), "always"),
    ScopeRow("auto", ("auto",), "only if a tool is strict or parallel_tool_calls is false"),
    ScopeRow("auto", ("none",), "the ban tag alone"),
    ScopeRow("always", ("required", "named"), "always"),
    ScopeRow("always", ("auto",), "always"),
    ScopeRow("always", ("none",), "the ban tag alone"),
)


@dataclass(frozen=True, slots=True)
class NoneRow:
    """What ``tool_choice: none`` costs for one pair of settings.

    ``exclude`` is ``--exclude-tools-when-tool-choice-none``, ``tags`` the master switch.
    """

    exclude: bool
    tags: bool
    effect: str

    @property
    def tools_in_prompt(self) -> bool:
        """Whether the chat template still shows the tools."""
        return not self.exclude

    @property
    def prefix_stable(self) -> bool:
        """Whether the prompt keeps its prefix when ``tool_choice`` changes."""
        return not self.exclude


NONE_ROWS: tuple[NoneRow, ...] = (
    NoneRow(True, False, "no tools in the prompt, no ban; the KV prefix changes"),
    NoneRow(True, True, "no tools in the prompt and a ban; the KV prefix changes"),
    NoneRow(False, True, "tools in the prompt, a ban stops calls; the KV prefix is kept"),
    NoneRow(False, False, "tools in the prompt, no ban: call-like text may reach the content"),
)


def scope_row(scope: Scope, mode: ChoiceMode) -> ScopeRow:
    """The row that governs a request."""
    return next(row for row in SCOPE_ROWS if row.scope == scope and mode in row.choices)


def none_row(*, exclude: bool, tags: bool) -> NoneRow:
    """The row of a deployment."""
    return next(row for row in NONE_ROWS if row.exclude == exclude and row.tags == tags)
