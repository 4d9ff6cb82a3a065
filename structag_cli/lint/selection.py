"""Which findings count: codes chosen and ignored, by file, severity and baseline."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatch

from structag_cli.findings import Finding, Severity


@dataclass(slots=True)
class Selection:
    """What to report.

    ``select`` and ``ignore`` hold codes or prefixes of codes (``S``, ``S1``, ``S101``), or
    names of rules; the longer match wins. ``per_file`` ignores codes in files that match a
    pattern. ``baseline`` holds fingerprints of findings that are known.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Severity = Severity.INFO
    per_file: dict[str, tuple[str, ...]] = field(default_factory=dict)
    baseline: frozenset[str] = frozenset()

    def may_select(self, code: str) -> bool:
        """Whether findings of a code can be reported at all."""
        chosen = max((len(p) for p in self.select if code.startswith(p)), default=-1)
        if self.select and chosen < 0:
            return False
        ignored = max((len(p) for p in self.ignore if code.startswith(p)), default=-1)
        return ignored < 0 or chosen > ignored

    def runs(self, code: str, opt_in: bool) -> bool:
        """Whether a rule runs; one that is off by default must be selected by its whole code."""
        return self.may_select(code) and (not opt_in or code in self.select)

    def keeps(self, finding: Finding) -> bool:
        """Whether to report a finding."""
        if finding.severity < self.severity or not self.may_select(finding.code):
            return False
        if finding.fingerprint in self.baseline:
            return False
        return not any(
            fnmatch(finding.place.file, pattern) and finding.code.startswith(codes)
            for pattern, codes in self.per_file.items()
        )
