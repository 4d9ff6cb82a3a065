"""Every rule, by code."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from structag_cli.lint.rule import Rule

FAMILIES = {
    "E": "Input",
    "T": "Tools",
    "S": "Schema against the grammar",
    "F": "Schemas that fail or hurt",
    "G": "Tags",
    "W": "Grammar files",
    "A": "Template agreement",
    "C": "Compatibility",
    "R": "Requests",
    "D": "Deployments",
}
"""Families by the first letter of a code."""

_PACKAGES = ("structag_cli.lint.rules",)


@cache
def rules() -> dict[str, Rule]:
    """All rules in the order of their codes.

    Raises:
        ValueError: two rules have one code.
    """
    found: dict[str, Rule] = {}
    for package in _PACKAGES:
        for info in iter_modules(import_module(package).__path__):
            rule: Rule = import_module(f"{package}.{info.name}").RULE
            if rule.code in found:
                raise ValueError(f"two rules with code {rule.code}")
            found[rule.code] = rule
    return dict(sorted(found.items()))
