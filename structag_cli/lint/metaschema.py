"""Is a schema valid by its own meta-schema?"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from structag_cli.place import escape_pointer


def schema_error(schema: Mapping[str, Any]) -> tuple[str, str] | None:
    """Pointer and message of what is wrong; ``None`` for a valid schema."""
    from jsonschema.exceptions import best_match

    try:
        if any(next(each.iter_errors(schema), None) is None for each in _validators()):
            return None
        error = best_match(_validators()[-1].iter_errors(schema))
    except RecursionError:
        return "", "nested too deeply to be checked"
    pointer = "".join("/" + escape_pointer(str(part)) for part in error.absolute_path)
    return pointer, f"not a valid JSON Schema: {error.message[:200]}"


@lru_cache(maxsize=1)
def _validators() -> tuple[Any, ...]:
    """The meta-schemas of the drafts that tools are written in.

    The newest comes last: its vocabularies take five times as long as a schema in one piece,
    and what is valid by any draft need not be asked for again.
    """
    from jsonschema.validators import Draft4Validator, Draft7Validator, Draft202012Validator

    drafts = (Draft7Validator, Draft4Validator, Draft202012Validator)
    return tuple(draft(draft.META_SCHEMA) for draft in drafts)
