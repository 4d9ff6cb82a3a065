"""Slips in a manifest that can be read in one way alone, as edits of its values."""

from __future__ import annotations

from typing import Any

from structag_cli.deployments.flags import (
    FALSE_WORDS,
    FLAGS,
    REASONING_PARSERS,
    SPELLINGS,
    TRUE_WORDS,
    VARIABLES,
)
from structag_cli.deployments.model import DeploymentFile, Fault, Slip, Worker
from structag_cli.deployments.values import BadValue, has_variable, read_value, tool_parsers
from structag_cli.lint.fixes.edits import Edit, Quote, Remove, Rename, Replace, keys_of
from structag_cli.lint.fixes.nearest import same_but_for_case, sole
from structag_cli.place import Place
from structag_cli.sources import Document


def document_at(found: DeploymentFile, place: Place) -> tuple[Document | None, int]:
    """The document of a file that a place is in, and where in the file its text begins."""
    here: tuple[Document | None, int] = None, 0
    start = 0
    for document in found.documents:
        if document.first_line <= (place.line or 1):
            here = document, start
        start += len(document.text or "")
    return here


def slip_edits(found: DeploymentFile, owner: Worker | None, fault: Fault) -> tuple[Edit, ...]:
    """The mend of a fault, if it has one reading and stands as a value of its own."""
    document, _ = document_at(found, fault.place)
    slip, pointer = fault.slip, fault.place.pointer
    if slip is None or document is None:
        return ()
    if slip.kind == "quote":
        return (Quote(pointer),)
    if slip.kind == "switch":
        return _switch(slip, document, pointer)
    if slip.kind == "joined":
        rivals = [] if owner is None else owner.all(slip.flag)
        return _joined(slip, document, pointer) if len(rivals) < 2 else ()
    if slip.kind == "value":
        word = _known_word(slip)
        return () if word is None else _swapped_value(slip.text, word, document, pointer)
    meant = _name(slip, owner)
    return () if meant is None else _swapped_name(slip.text, meant, document, pointer)


def _name(slip: Slip, owner: Worker | None) -> str | None:
    """The flag or variable that is meant; ``None`` where the worker has it already."""
    known = VARIABLES if slip.kind == "variable" else SPELLINGS
    if slip.kind == "flag":
        negated = slip.text.startswith("--no-")
        known = {k: flag for k, flag in SPELLINGS.items() if k.startswith("--no-") == negated}
    meant = sole(slip.text, known)
    if meant is None or owner is None:
        return None
    here = _place_of(slip, owner)
    rivals = [each for each in owner.all(known[meant].name) if each.place != here]
    return None if rivals else meant


def _place_of(slip: Slip, owner: Worker) -> Place | None:
    """Where the worker's settings have the misspelt name itself."""
    return next(
        (
            each.place
            for each in owner.settings
            if each.intended and each.wrote.partition("=")[0] == slip.text
        ),
        None,
    )


def _known_word(slip: Slip) -> str | None:
    """The word that a flag takes and that differs in case and separators alone."""
    flag = FLAGS[slip.flag]
    known: tuple[str, ...] = flag.choices
    if flag.kind == "reasoning-parser":
        known = REASONING_PARSERS
    elif flag.kind == "tool-parser":
        known = tool_parsers()
    return same_but_for_case(slip.text, known)


def _swapped_name(old: str, new: str, document: Document, pointer: str) -> tuple[Edit, ...]:
    """Another name: of an item, before its ``=``, of a variable in a list or in a mapping."""
    value = _value_at(document.value, pointer)
    above, _, last = pointer.rpartition("/")
    if isinstance(value, str) and value.partition("=")[0] == old:
        return (Replace(pointer, new + value[len(old) :]),)
    if last == old:
        return (Rename(pointer, new),)
    for holder in (pointer, above):
        variable = _value_at(document.value, holder)
        if isinstance(variable, dict) and variable.get("name") == old:
            return (Replace(f"{holder}/name", new),)
    return ()


def _swapped_value(old: str, new: str, document: Document, pointer: str) -> tuple[Edit, ...]:
    """Another value: a whole item, or what stands behind the ``=`` of one."""
    value = _value_at(document.value, pointer)
    if value == old:
        return (Replace(pointer, new),)
    if isinstance(value, str):
        name, equals, written = value.partition("=")
        if equals and written == old:
            return (Replace(pointer, f"{name}={new}"),)
    return ()


def _switch(slip: Slip, document: Document, pointer: str) -> tuple[Edit, ...]:
    """A switch without its value: the form that turns it on, or off."""
    word, flag = slip.text.strip().lower(), FLAGS[slip.flag]
    if slip.at is None or word not in (*TRUE_WORDS, *FALSE_WORDS):
        return ()
    name = flag.name if word in TRUE_WORDS else flag.negated
    written = _value_at(document.value, slip.at.pointer)
    if slip.at.pointer == pointer:
        return (Replace(pointer, name),) if written == f"{flag.name}={slip.text}" else ()
    if written != flag.name or _value_at(document.value, pointer) != slip.text:
        return ()
    gone = Remove(pointer)
    return (gone,) if name == flag.name else (Replace(slip.at.pointer, name), gone)


def _joined(slip: Slip, document: Document, pointer: str) -> tuple[Edit, ...]:
    """A flag and its value in one item, with ``=`` between them."""
    name, space, value = slip.text.partition(" ")
    flag = SPELLINGS.get(name)
    if flag is None or flag.kind == "switch" or not space or has_variable(value):
        return ()
    if not value or value.strip() != value or any(char in value for char in " \t\n\"'="):
        return ()
    try:
        read_value(flag, value)
    except BadValue:
        return ()
    whole = _value_at(document.value, pointer) == slip.text
    return (Replace(pointer, f"{name}={value}"),) if whole else ()


def _value_at(value: Any, pointer: str) -> Any:
    """The value at a pointer; ``None`` where there is none."""
    for key in keys_of(pointer):
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value
