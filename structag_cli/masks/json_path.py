"""How far an unfinished JSON value goes: the pointer of what is being written."""

from __future__ import annotations

from dataclasses import dataclass, field

from structag_cli.place import escape_pointer


@dataclass(frozen=True, slots=True)
class JsonPosition:
    """Where a cut JSON text stands: ``pointer`` of the value, what it ``expects`` next."""

    pointer: str
    expects: str
    done: bool = False


@dataclass
class _Level:
    """An open object or array. ``key`` is the member's name, or the item's number."""

    kind: str
    key: str | int | None = None
    state: str = "start"


@dataclass
class _Scan:
    levels: list[_Level] = field(default_factory=list)
    done: bool = False
    string: bool = False
    is_key: bool = False
    scalar: bool = False
    text: str = ""


def json_position(text: str) -> JsonPosition:
    """Scan a JSON text that may end anywhere. Faulty text gives the last good position."""
    scan = _Scan()
    escaped = False
    for char in text:
        if scan.done:
            break
        if scan.string:
            if escaped:
                escaped = False
                scan.text += char
            elif char == "\\":
                escaped = True
            elif char == '"':
                _end_string(scan)
            else:
                scan.text += char
        else:
            _plain(scan, char)
    return _describe(scan)


def _plain(scan: _Scan, char: str) -> None:
    if char in '{["' or char in ":,}]" or char.isspace():
        if scan.scalar and char not in '{["':
            scan.scalar = False
            _value_done(scan)
        if not char.isspace():
            _structural(scan, char)
    elif not scan.scalar:
        scan.scalar = True


def _structural(scan: _Scan, char: str) -> None:
    top = scan.levels[-1] if scan.levels else None
    if char == '"':
        scan.string, scan.text = True, ""
        scan.is_key = top is not None and top.kind == "{" and top.state in ("start", "comma")
    elif char in "{[":
        scan.levels.append(_Level(char, 0 if char == "[" else None))
    elif top is None:
        return
    elif char == ":":
        top.state = "colon"
    elif char == ",":
        top.state = "comma"
        top.key = top.key + 1 if isinstance(top.key, int) else None
    else:
        scan.levels.pop()
        _value_done(scan)


def _end_string(scan: _Scan) -> None:
    scan.string = False
    if scan.is_key and scan.levels:
        scan.levels[-1].key, scan.levels[-1].state = scan.text, "key"
    else:
        _value_done(scan)


def _value_done(scan: _Scan) -> None:
    if scan.levels:
        scan.levels[-1].state = "value"
    else:
        scan.done = True


def _describe(scan: _Scan) -> JsonPosition:
    keys = [level.key for level in scan.levels if level.key is not None]
    pointer = "".join("/" + escape_pointer(str(key)) for key in keys)
    if scan.done:
        return JsonPosition("", "nothing more", True)
    if scan.string:
        return JsonPosition(pointer, "a property's name" if scan.is_key else "the string")
    if scan.scalar:
        return JsonPosition(pointer, "the value")
    if not scan.levels:
        return JsonPosition("", "a value")
    top = scan.levels[-1]
    if top.kind == "[":
        said = {"start": "an item or ']'", "comma": "an item"}.get(top.state, "',' or ']'")
        return JsonPosition(pointer, said)
    said = {
        "start": "a property or '}'",
        "comma": "a property",
        "key": "':'",
        "colon": "a value",
    }.get(top.state, "',' or '}'")
    return JsonPosition(pointer, said)
