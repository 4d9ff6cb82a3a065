"""What a flag's value means, and what is wrong with it."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable
from typing import Any

from structag_cli.deployments.flags import (
    FALSE_WORDS,
    REASONING_PARSERS,
    TAG_FIELDS,
    TRUE_WORDS,
    Flag,
)
from structag_cli.deployments.model import UNKNOWN

_VARIABLE = re.compile(r"\$[({A-Za-z_]|\{\{")
_SHOWN = 60


class BadValue(ValueError):
    """A value that the process refuses or misreads, and what to do."""

    def __init__(self, message: str, mend: str) -> None:
        super().__init__(message)
        self.message = message
        self.mend = mend


def has_variable(text: str) -> bool:
    """Whether a text holds a variable that something else fills in."""
    return bool(_VARIABLE.search(text))


def shown(text: str) -> str:
    """A value for a message."""
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...")


def read_value(flag: Flag, text: str) -> Any:
    """The value of a flag that takes one.

    Raises:
        BadValue: the process would refuse it.
    """
    if flag.kind != "json" and flag.kind != "tag" and has_variable(text):
        return UNKNOWN
    if flag.kind == "choice":
        return _choice(flag, text)
    if flag.kind == "tool-parser":
        return _named(flag, text, tool_parsers(), "tool-call parser")
    if flag.kind == "reasoning-parser":
        return _named(flag, text, REASONING_PARSERS, "reasoning parser")
    if flag.kind == "tag":
        return _tag(flag, text)
    if flag.kind == "json":
        return _json(flag, text)
    return text


def read_env(flag: Flag, text: str) -> Any:
    """The value that an environment variable gives.

    Raises:
        BadValue: the process refuses it, or reads something else than it says.
    """
    if flag.kind != "switch":
        return read_value(flag, text)
    if has_variable(text):
        return UNKNOWN
    word = text.strip().lower()
    if word in TRUE_WORDS:
        return True
    if word not in (*FALSE_WORDS, ""):
        raise BadValue(f"{flag.env} is {shown(text)}, which counts as false", "true or false")
    return False


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known name that a misspelt one most likely means."""
    lowered = name.lower().replace("_", "-")
    by_form = {each.lower().replace("_", "-"): each for each in known}
    if lowered in by_form:
        return by_form[lowered]
    found = difflib.get_close_matches(lowered, by_form, n=1, cutoff=cutoff)
    return by_form[found[0]] if found else None


def tool_parsers() -> tuple[str, ...]:
    """The tool-call parsers that any release knows."""
    from structag_cli.formats.names import names_of_release, releases

    return tuple(sorted({name for each in releases() for name in names_of_release(each)}))


def _choice(flag: Flag, text: str) -> str:
    if text in flag.choices:
        return text
    near = nearest(text, flag.choices)
    words = ", ".join(flag.choices)
    raise BadValue(
        f"{flag.name} cannot be {shown(text)}",
        f"did you mean {near}? It takes {words}" if near else f"it takes {words}",
    )


def _named(flag: Flag, text: str, known: tuple[str, ...], what: str) -> str:
    if text in known:
        return text
    near = nearest(text, known)
    hint = f"did you mean {near}?" if near else "`structag parsers` lists the names"
    if what != "tool-call parser" and not near:
        hint = f"known: {', '.join(known)}"
    raise BadValue(f"Dynamo has no {what} {shown(text)}", hint)


def _tag(flag: Flag, text: str) -> Any:
    """``True``, ``False`` or the settings of ``--dyn-structural-tag``."""
    word = text.strip().lower()
    if word in TRUE_WORDS:
        return {}
    if word in FALSE_WORDS:
        return False
    if has_variable(text):
        return UNKNOWN
    value = _json(flag, text)
    if not isinstance(value, dict):
        raise BadValue(
            f"{flag.name} takes true, false or a JSON object, not {shown(text)}",
            'for example {"scope": "auto"}',
        )
    for key, part in value.items():
        _tag_field(flag, key, part)
    return value


def _tag_field(flag: Flag, key: str, part: Any) -> None:
    if key not in TAG_FIELDS:
        near = nearest(key, TAG_FIELDS)
        raise BadValue(
            f"{flag.name} has no field {shown(key)}",
            f"did you mean {near}?" if near else f"fields: {', '.join(TAG_FIELDS)}",
        )
    allowed = TAG_FIELDS[key]
    written = part if isinstance(part, str) else json.dumps(part)
    is_text = "true" not in allowed
    if written not in allowed or isinstance(part, str) != is_text:
        raise BadValue(
            f"{flag.name}: {key} cannot be {json.dumps(part)[:_SHOWN]}",
            f"it takes {', '.join(allowed)}",
        )


def _json(flag: Flag, text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise BadValue(f"{flag.name} is nested too deeply", "flatten it") from None
    except ValueError as err:
        if has_variable(text):
            return UNKNOWN
        reason = str(err).partition(":")[0]
        raise BadValue(
            f"{flag.name} is not JSON: {reason[:_SHOWN]}", "quote the JSON as one argument"
        ) from None
