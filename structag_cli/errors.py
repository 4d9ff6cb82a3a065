"""The one family of errors. Each carries its place and its mend; only the CLI prints them."""

from __future__ import annotations

from enum import IntEnum

from structag_cli.place import Place


class ExitCode(IntEnum):
    """What a command's exit status says, the same for every command."""

    OK = 0
    """Everything asked for was done and holds."""
    FAILED = 1
    """A check failed, or findings reached the chosen severity."""
    USAGE = 2
    """The input or the command line is wrong."""
    UNAVAILABLE = 3
    """A server cannot be reached, or does not answer as it should."""


class StructagError(Exception):
    """Something the user can mend.

    Args:
        message: what is wrong, one line, no full stop needed.
        place: where it stands, if it stands in a file.
        mend: what to do about it, one line.
    """

    exit_code = ExitCode.USAGE

    def __init__(self, message: str, *, place: Place | None = None, mend: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.mend = mend

    def __str__(self) -> str:
        """One line that names the place, the fault and the mend."""
        where = f"{self.place}: " if self.place else ""
        mend = f" ({self.mend})" if self.mend else ""
        return " ".join(f"{where}{self.message}{mend}".splitlines())


class InputError(StructagError):
    """A file, a stream or a value in it cannot be used."""


class UsageError(StructagError):
    """The command line asks for something impossible."""


class EngineError(StructagError):
    """xgrammar refused or could not finish a piece of work."""
