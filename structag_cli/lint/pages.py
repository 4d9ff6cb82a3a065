"""A rule's page: the same text on the command line and under ``docs/rules/``."""

from __future__ import annotations

import json
from typing import Any

from structag_cli.lint.registry import FAMILIES
from structag_cli.lint.rule import Rule


def page(rule: Rule) -> str:
    """The page of a rule, in Markdown."""
    facts = [f"Family: {FAMILIES[rule.code[0]]}", f"severity: {rule.severity.word}"]
    if rule.deep:
        facts.append("deep: compiles the schema in a child process")
    if rule.opt_in:
        facts.append(f"off unless selected: `--select {rule.code}`")
    if rule.fix:
        facts.append("mended by `--fix` where that is safe")
    if rule.source:
        facts.append(f"source: {rule.source}")
    parts = [f"# {rule.code}: {rule.name}", rule.summary, f"*{'; '.join(facts)}.*"]
    parts += ["## Why", rule.why, "## Mend", f"{rule.mend[:1].upper()}{rule.mend[1:]}."]
    if rule.fix:
        parts += ["## What `--fix` mends", rule.fix]
    flags = "".join(
        f" {flag} {value}"
        for flag, value in (
            ("--parser", rule.parser),
            ("--target", rule.target),
            ("--select", rule.code if rule.opt_in else None),
            ("--template", "template.jinja" if rule.template else None),
        )
        if value
    )
    for title, example in (("Bad", rule.bad), ("Good", rule.good)):
        if example is not None:
            command = f"With `structag lint{flags}`:\n\n" if flags else ""
            language = "yaml" if rule.code.startswith("D") else "json"
            shown = _shown(example, language)
            parts += [f"## {title}", f"{command}```{language}\n{shown}\n```"]
    if rule.template:
        parts += ["## Template", f"```jinja\n{rule.template}\n```"]
    return "\n\n".join(parts) + "\n"


def _shown(example: Any, language: str) -> str:
    if language == "yaml":
        from structag_cli.emit.yaml_text import yaml_text

        return yaml_text(example).rstrip()
    return example if isinstance(example, str) else json.dumps(example, indent=2)


def list_of_rules(rules: list[Rule]) -> str:
    """One line a rule, by family."""
    lines: list[str] = []
    for letter, family in FAMILIES.items():
        own = [rule for rule in rules if rule.code[0] == letter]
        if own:
            lines += [*([""] if lines else []), family]
        lines += [f"  {r.code}{_sign(r)} {r.severity.word:<8} {r.name}: {r.summary}" for r in own]
    return "\n".join([*lines, "", "* mended by `structag lint --fix` where that is safe"])


def _sign(rule: Rule) -> str:
    return "*" if rule.fix else " "


def record(rule: Rule) -> dict[str, Any]:
    """A rule as JSON."""
    return {
        "code": rule.code,
        "name": rule.name,
        "family": FAMILIES[rule.code[0]],
        "severity": rule.severity.word,
        "deep": rule.deep,
        "opt_in": rule.opt_in,
        "summary": rule.summary,
        "why": rule.why,
        "mend": rule.mend,
        "fix": rule.fix,
        "bad": rule.bad,
        "good": rule.good,
    }


def table_of_rules(rules: list[Rule]) -> str:
    """The index page: a table a family."""
    parts = ["# Rules", "What `structag lint` looks for. `structag rule CODE` prints a page."]
    for letter, family in FAMILIES.items():
        own = [rule for rule in rules if rule.code[0] == letter]
        rows = [
            f"| [{r.code}]({r.code}.md) | {r.name} | {r.severity.word} | {'yes' if r.fix else ''} "
            f"| {r.summary} |"
            for r in own
        ]
        head = ["| Code | Name | Severity | `--fix` | What |", "|---|---|---|---|---|"]
        if own:
            parts += [f"## {family}", "\n".join([*head, *rows])]
    return "\n\n".join(parts) + "\n"
