"""Where a value stands: file, line, column and JSON pointer."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Place:
    """The place of one value in the user's input.

    ``file`` is the name as the user gave it (``-`` for standard input), ``line``
    and ``column`` count from 1 (``None`` when unknown), ``pointer`` is an RFC 6901
    JSON pointer (``""`` is the whole document).
    """

    file: str
    line: int | None = None
    column: int | None = None
    pointer: str = ""

    def __str__(self) -> str:
        text = self.file
        if self.line is not None:
            text += f":{self.line}"
            if self.column is not None:
                text += f":{self.column}"
        return f"{text} (at {self.pointer})" if self.pointer else text

    def child(self, *keys: str | int) -> Place:
        """The place of a value below this one, known by its pointer alone."""
        tail = "".join("/" + escape_pointer(str(key)) for key in keys)
        return replace(self, pointer=self.pointer + tail, line=None, column=None)


def escape_pointer(key: str) -> str:
    """One JSON pointer segment, escaped as RFC 6901 asks."""
    return key.replace("~", "~0").replace("/", "~1")
