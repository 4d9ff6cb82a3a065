"""What is wrong, where, with the input that shows it and the way to mend it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from os.path import normpath
from typing import TYPE_CHECKING, Any, Literal

from structag_cli.place import Place

if TYPE_CHECKING:
    from structag_cli.lint.fixes.edits import Edit
    from structag_cli.sources import Document

DOCS = "https://structag.readthedocs.io/rules/"

Effect = Literal["drops", "forbids", "fails"]
"""What a grammar does with a constraint: it lets through what the schema forbids, it
refuses what the schema allows, or it does not compile."""


class Severity(IntEnum):
    """How much a finding matters."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        """The name used on the command line and in output."""
        return self.name.lower()

    @classmethod
    def named(cls, word: str) -> Severity:
        """The severity of a name.

        Raises:
            KeyError: there is none.
        """
        return cls[word.upper()]


@dataclass(frozen=True, slots=True)
class Witness:
    """An input that shows the fault.

    ``text`` is what the model would write, ``value`` what it means (``None`` where it has
    no JSON value), ``valid`` whether the schema allows it, ``accepted`` whether the
    grammar does. ``position``: the byte at which the grammar refuses it.
    """

    text: str
    valid: bool
    accepted: bool
    value: Any = None
    position: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The contract of ``witness`` in JSON output."""
        return {
            "text": self.text,
            "value": self.value,
            "valid": self.valid,
            "accepted": self.accepted,
            "position": self.position,
        }


@dataclass(frozen=True, slots=True)
class Found:
    """What a rule says: a pointer into the document, and the rest of a finding.

    ``severity`` overrides the rule's own. ``keyword`` is the schema keyword at fault.
    ``place`` overrides what the pointer says, for what stands inside one value. ``fix``
    mends it, where a mend is safe. ``everywhere``: it is true of the settings, whatever the
    file, and is said once a run.
    """

    pointer: str
    message: str
    mend: str = ""
    effect: Effect | None = None
    keyword: str = ""
    witness: Witness | None = None
    severity: Severity | None = None
    subject: str = ""
    place: Place | None = None
    fix: tuple[Edit, ...] = ()
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault, ready to print.

    ``fix_source`` is the document that ``fix`` edits; ``everywhere`` is that of ``Found``.
    """

    code: str
    rule: str
    severity: Severity
    message: str
    place: Place
    mend: str = ""
    effect: Effect | None = None
    keyword: str = ""
    witness: Witness | None = None
    subject: str = ""
    fix: tuple[Edit, ...] = ()
    fix_source: Document | None = field(default=None, compare=False, repr=False)
    everywhere: bool = False

    @property
    def docs(self) -> str:
        """The address of the rule's page."""
        return f"{DOCS}{self.code}/"

    @property
    def fingerprint(self) -> str:
        """What stays the same while lines move: the key of a baseline; ``./a`` is ``a``."""
        parts = (
            normpath(self.place.file),
            self.code,
            self.place.pointer,
            self.keyword,
            self.subject,
        )
        if self.everywhere:  # whichever file comes first
            parts = (normpath(""), self.code, "", "", self.message)
        # A name of a file may hold bytes that are no UTF-8.
        return "|".join(parts).encode(errors="backslashreplace").decode()

    def to_json(self) -> dict[str, Any]:
        """The contract of one finding in JSON output."""
        return {
            "code": self.code,
            "rule": self.rule,
            "severity": self.severity.word,
            "message": self.message,
            "file": self.place.file,
            "line": self.place.line,
            "column": self.place.column,
            "pointer": self.place.pointer,
            "subject": self.subject,
            "effect": self.effect,
            "keyword": self.keyword,
            "witness": None if self.witness is None else self.witness.to_json(),
            "mend": self.mend,
            "fixable": bool(self.fix),
            "docs": self.docs,
        }
