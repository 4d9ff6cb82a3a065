"""Turns a fault in a grammar file into an error with its line, pointer and mend."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml
from msgspec import inspect

from structag_cli.errors import InputError
from structag_cli.formats.check import Fault
from structag_cli.formats.check import Path as Keys
from structag_cli.formats.model import Grammar
from structag_cli.place import Place, escape_pointer

_SCHEMA_HINT = "`structag grammar schema` prints the format"
_AT = re.compile(r"^(?P<what>.*?)(?: - at (?P<key>`key` in )?`\$(?P<path>[^`]*)`)?$", re.DOTALL)
_STEP = re.compile(r"\.(?P<field>[^.\[\]]+)|\[(?P<index>\d+|\.\.\.)\]")
_NOT_YAML = re.compile(
    r"[^\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_QUOTED = re.compile(r"`([^`]+)`|'([^']+)'")


def conversion_error(path: Path, text: str, err: msgspec.ValidationError) -> InputError:
    """The error for a value of the wrong type, an unknown field, a missing field."""
    match = _AT.match(str(err))
    what = match["what"] if match else str(err)
    steps = _steps((match and match["path"]) or "")
    root = _composed(text)
    keys, node = _walk(root, steps, wrong=_wrong_type(what))
    quoted = _QUOTED.search(what)
    name = (quoted[1] or quoted[2]) if quoted else ""
    mend = _SCHEMA_HINT
    if "unknown field" in what:
        what = f"unknown field {name!r}"
        mend = _near(name, _field_names(_type_at(steps))) or mend
        keys, node = _key(keys, node, name)
    elif "Invalid enum value" in what:
        what = f"unknown value {name!r}"
        allowed = _engines() if match and match["key"] else _values(_type_at(steps))
        mend = _near(name, allowed) or f"one of {', '.join(allowed)}"
        if match and match["key"]:
            what = f"unknown engine {name!r}"
            keys, node = _key(keys, node, name)
    elif "missing required field" in what:
        what = f"the field {name!r} is missing"
    else:
        what = what[:1].lower() + what[1:].replace("`", "")
    return InputError(f"not a valid grammar: {what}", place=_place(path, keys, node), mend=mend)


def _composed(text: str) -> Any:
    """The nodes of a text with their places; ``None`` where YAML cannot read it.

    Not every JSON text is YAML: what YAML takes for a line's end may stand in JSON's strings,
    and tabs before its values. A space in their stead keeps all places.
    """
    for readable in (text, _NOT_YAML.sub(" ", text)):
        try:
            return yaml.compose(readable, Loader=yaml.SafeLoader)
        except yaml.YAMLError:
            continue
    return None


def check_error(path: Path, text: str, faults: Sequence[Fault]) -> InputError:
    """The error for a broken rule; the first of several, and how many more there are."""
    fault = faults[0]
    root = _composed(text)
    keys, node = _walk(root, fault.path)
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return InputError(
        f"not a valid grammar: {fault.message}{more}",
        place=_place(path, keys, node),
        mend=fault.mend,
    )


def _steps(path: str) -> Keys:
    """``.calls[0].begin`` as keys; ``...`` stands for any value of a mapping."""
    found: list[str | int] = []
    for match in _STEP.finditer(path):
        index = match["index"]
        if index is None:
            found.append(match["field"])
        else:
            found.append(index if index == "..." else int(index))
    return tuple(found)


def _wrong_type(what: str) -> str:
    """The kind of YAML node that a message complains about, to find it under ``...``."""
    got = re.search(r"got `(\w+)`", what)
    return {"object": "mapping", "array": "sequence"}.get(got[1], "scalar") if got else ""


def _walk(root: Any, steps: Keys, wrong: str = "") -> tuple[Keys, Any]:
    """Follow keys as far as they go; the keys taken and the node they lead to."""
    keys: list[str | int] = []
    node = root
    for position, step in enumerate(steps):
        found = _child(node, step, wrong if position == len(steps) - 1 else "")
        if found is None:
            break
        key, node = found
        keys.append(key)
    return tuple(keys), node


def _child(node: Any, step: str | int, wrong: str) -> tuple[str | int, Any] | None:
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int):
        return (step, node.value[step]) if step < len(node.value) else None
    if not isinstance(node, yaml.MappingNode):
        return None
    if step != "...":
        return next(((k.value, v) for k, v in node.value if k.value == step), None)
    # msgspec does not say which key: the first value of the wrong kind, else the first.
    fits = [(k.value, v) for k, v in node.value if not wrong or v.id == wrong]
    return fits[0] if len(fits) == 1 or (fits and wrong) else None


def _key(keys: Keys, node: Any, name: str) -> tuple[Keys, Any]:
    """The node of a key itself, rather than of its value."""
    if isinstance(node, yaml.MappingNode):
        for key, _ in node.value:
            if key.value == name:
                return (*keys, name), key
        for key, value in node.value:
            if isinstance(value, yaml.MappingNode):
                found, deeper = _key((*keys, key.value), value, name)
                if deeper is not value:
                    return found, deeper
    return keys, node


def _place(path: Path, keys: Keys, node: Any) -> Place:
    pointer = "".join("/" + escape_pointer(str(key)) for key in keys)
    if node is None:
        return Place(str(path), pointer=pointer)
    mark = node.start_mark
    return Place(str(path), mark.line + 1, mark.column + 1, pointer)


def _type_at(steps: Keys) -> inspect.Type:
    """The declared type that a path leads to."""
    kind: inspect.Type = inspect.type_info(Grammar)
    for step in steps:
        kind = _inner(kind, step)
    return kind


def _inner(kind: inspect.Type, step: str | int) -> inspect.Type:
    for option in _options(kind):
        if isinstance(option, inspect.StructType):
            for field in option.fields:
                if field.encode_name == step:
                    return field.type
        elif isinstance(option, inspect.VarTupleType) and isinstance(step, int):
            return option.item_type
        elif isinstance(option, inspect.DictType):
            return option.value_type
    return inspect.AnyType()


def _options(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    if isinstance(kind, inspect.Metadata):
        return _options(kind.type)
    if isinstance(kind, inspect.UnionType):
        return tuple(inner for option in kind.types for inner in _options(option))
    return (kind,)


def _field_names(kind: inspect.Type) -> list[str]:
    return [
        field.encode_name
        for option in _options(kind)
        if isinstance(option, inspect.StructType)
        for field in option.fields
    ]


def _values(kind: inspect.Type) -> list[str]:
    return [
        str(value)
        for option in _options(kind)
        if isinstance(option, inspect.LiteralType)
        for value in option.values
    ]


def _engines() -> list[str]:
    names = _inner(inspect.type_info(Grammar), "names")
    for option in _options(names):
        if isinstance(option, inspect.DictType):
            return _values(option.key_type)
    return []


def _near(name: str, allowed: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, allowed, n=2, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"known here: {', '.join(allowed)}" if 0 < len(allowed) <= 8 else ""
