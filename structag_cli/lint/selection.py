"""Which findings count: codes chosen and ignored, by file, severity and baseline."""

from __future__ import annotations

import glob
import math
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch

from structag_cli.errors import UsageError
from structag_cli.findings import Finding, Severity

NOT_LOOKED_AT = ("E001", "E002", "E004")
"""What says that a file, or a part of one, was not linted."""


@dataclass(slots=True)
class Selection:
    """What to report.

    ``select`` and ``ignore`` hold codes or prefixes of codes (``S``, ``S1``, ``S101``), or
    names of rules; the longer match wins. What could not be looked at is reported whatever
    is selected: nothing was found in it only because nothing was sought. ``per_file`` ignores
    codes in files that match a pattern. ``baseline`` holds fingerprints of known findings,
    and how many of each are known.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Severity = Severity.INFO
    per_file: dict[str, tuple[str, ...]] = field(default_factory=dict)
    baseline: dict[str, float] = field(default_factory=dict)

    def may_select(self, code: str) -> bool:
        """Whether findings of a code can be reported at all."""
        chosen = max((len(p) for p in self.select if code.startswith(p)), default=-1)
        if self.select and chosen < 0 and code not in NOT_LOOKED_AT:
            return False
        ignored = max((len(p) for p in self.ignore if code.startswith(p)), default=-1)
        return ignored < 0 or chosen > ignored

    def runs(self, code: str, opt_in: bool) -> bool:
        """Whether a rule runs; one that is off by default must be selected by its whole code."""
        return self.may_select(code) and (not opt_in or code in self.select)

    def kept(self, findings: Iterable[Finding], left: dict[str, float]) -> Iterator[Finding]:
        """The findings to report.

        Args:
            findings: some findings of a run, in order.
            left: how many more of each fingerprint are known: a run begins with a copy of
                ``baseline``, and this counts down. What is true everywhere is known for
                good once it is said.
        """
        for finding in filter(self._means, findings):
            known = left.get(finding.fingerprint, 0)
            left[finding.fingerprint] = math.inf if finding.everywhere else max(known - 1, 0)
            if known <= 0:
                yield finding

    def _means(self, finding: Finding) -> bool:
        """Whether a finding counts, known or not."""
        if finding.severity < self.severity or not self.may_select(finding.code):
            return False
        return not any(
            _in(finding.place.file, pattern) and finding.code.startswith(codes)
            for pattern, codes in self.per_file.items()
        )


def _in(file: str, pattern: str) -> bool:
    """Whether a pattern means a file, however the two are written (``./a`` is ``a``)."""
    here = glob.escape(os.getcwd())
    whole = os.path.normpath(os.path.join(here, pattern))
    return fnmatch(file, pattern) or fnmatch(os.path.abspath(file), whole)


def rule_codes(given: Iterable[str]) -> tuple[str, ...]:
    """Codes and prefixes; several may stand in one option, with commas between.

    Raises:
        UsageError: no rule has such a code.
    """
    from structag_cli.lint.registry import rules

    codes = [code.strip() for each in given for code in each.split(",") if code.strip()]
    known = rules()
    named = {rule.name: rule.code for rule in known.values()}
    found = [named.get(code, code.upper()) for code in codes]
    for code in found:
        if not any(each.startswith(code) for each in known):
            raise UsageError(f"no rule {code}", mend="`structag rule` lists them")
    return tuple(found)
