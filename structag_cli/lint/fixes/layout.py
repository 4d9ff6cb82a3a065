"""Where the parts of a text stand, from first to last character: keys, values, containers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

from structag_cli.lint.fixes.edits import CannotMend, keys_of
from structag_cli.sources.document import Kind


@dataclass(slots=True)
class Part:
    """A value's characters and those of its key.

    ``style`` is how a scalar is written; ``block`` tells a container of lines from one in
    brackets; a list whose ``start`` is negative has its items on lines without any sign.
    ``held``: why the part cannot be edited, such as an anchor.
    """

    start: int
    end: int
    kind: Literal["map", "list", "scalar", "alias"] = "scalar"
    name: str = ""
    key: tuple[int, int] | None = None
    key_style: str = '"'
    style: str = ""
    block: bool = False
    held: str = ""
    children: list[Part] = field(default_factory=list)


class Layout(Protocol):
    """The parts of one text."""

    text: str
    root: Part

    def children(self, part: Part) -> list[Part]:
        """The members or items of a container, in order."""


def layout_of(text: str, kind: Kind) -> Layout:
    """The layout of a valid text."""
    if kind == "yaml":
        from structag_cli.lint.fixes.yaml_layout import YamlLayout

        return YamlLayout(text)
    from structag_cli.lint.fixes.json_layout import JsonLayout

    return JsonLayout(text, lines=kind == "jsonl")


def shared(layout: Layout, pointer: str) -> bool:
    """Whether a container around a part has an anchor, by which others may take it."""
    part = layout.root
    for key in keys_of(pointer):
        if part.held:
            return True
        part = next((each for each in layout.children(part) if each.name == key), part)
    return False


def find(layout: Layout, pointer: str) -> tuple[Part, Part | None]:
    """The part at a pointer and the container that holds it.

    Raises:
        CannotMend: it stands elsewhere, behind an alias or a merge.
    """
    part, holder = layout.root, None
    for key in keys_of(pointer):
        if part.kind == "alias":
            raise CannotMend("it comes from an anchor")
        found = next((each for each in layout.children(part) if each.name == key), None)
        if found is None:
            raise CannotMend("it does not stand there itself")
        part, holder = found, part
    return part, holder
