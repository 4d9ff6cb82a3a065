"""JSON as chat templates write it and as engines read it.

Reading is strict where Rust's and Python's parsers would part: ``NaN``, ``Infinity`` and
numbers beyond the range of a double are no JSON, and a surrogate without its pair is
replaced, with a fault. A key that stands twice is a fault too, and its last value counts.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

TOO_DEEP = "not JSON: nested too deep"

_SPACE = " \t\r\n"
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
# What is left of a token that the end of the text cuts, where the decoder stops.
_CUT_TOKEN = re.compile(
    r"-|\.|[eE][+-]?|t(r(ue?)?)?|f(a(l(se?)?)?)?|n(u(ll?)?)?|\\(u[0-9a-fA-F]{0,4})?"
)


def dumps(value: Any) -> str:
    """JSON as chat templates write it: ``, `` and ``: ``, letters beyond ASCII as they are."""
    return json.dumps(value, ensure_ascii=False)


def loads(text: str) -> Any:
    """A whole text as one JSON value.

    Raises:
        ValueError: it is none.
        RecursionError: it nests too deep.
    """
    value = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    return _paired(value)[0] if _SURROGATE.search(text) else value


def decode_at(text: str, at: int) -> tuple[Any, int, tuple[str, ...], bool]:
    """One JSON value, white space before it allowed.

    Returns:
        The value, the offset behind it, faults, and whether the text ended inside it.
        Where it cannot be read the value is ``None`` and the faults say why.
    """
    while at < len(text) and text[at] in _SPACE:
        at += 1
    repeated: list[str] = []
    decoder = json.JSONDecoder(
        object_pairs_hook=lambda pairs: _object(pairs, repeated),
        parse_constant=_refuse,
        parse_float=_finite,
    )
    try:
        value, end = decoder.raw_decode(text, at)
    except json.JSONDecodeError as err:
        return None, err.pos, (f"not JSON: {err.msg}",), _is_cut(text, err)
    except RecursionError:
        return None, at, (TOO_DEEP,), False
    except ValueError as err:
        why = "a number too long" if str(err).startswith("Exceeds") else str(err)
        return None, at, (f"not JSON: {why}",), False
    faults = tuple(dict.fromkeys(repeated))
    if _SURROGATE.search(text, at, end):
        value, found = _paired(value)
        faults += found
    return value, end, faults, False


def _object(pairs: list[tuple[str, Any]], repeated: list[str]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        repeated.append("a key stands twice, the last one counts")
    return found


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError("a number out of range")
    return value


def _is_cut(text: str, err: json.JSONDecodeError) -> bool:
    """Whether the decoder stopped because the text ends there."""
    if err.msg.startswith("Unterminated string"):
        return True
    rest = text[err.pos :].rstrip(_SPACE)
    if err.msg.startswith("Invalid \\"):
        at = text.rfind("\\", 0, err.pos + 1)
        rest = text[max(at, 0) :]
    return not rest or _CUT_TOKEN.fullmatch(rest) is not None


def _paired(value: Any) -> tuple[Any, tuple[str, ...]]:
    text = json.dumps(value, ensure_ascii=False)
    mended = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if mended == text:
        return value, ()
    return json.loads(mended), ("half of a surrogate pair, replaced",)
