"""Is a schema valid by its own meta-schema?"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from structag_cli.place import escape_pointer


def schema_error(schema: Mapping[str, Any]) -> tuple[str, str] | None:
    """Pointer and message of what is wrong; ``None`` for a valid schema."""
    from jsonschema.exceptions import best_match

    validators = _validators()
    try:
        error = None
        for validator in validators:
            found = best_match(validator.iter_errors(schema))
            if found is None:
                return None
            error = error or found
    except RecursionError:
        return "", "nested too deeply to be checked"
    if error is None:
        return None
    pointer = "".join("/" + escape_pointer(str(part)) for part in error.absolute_path)
    return pointer, f"not a valid JSON Schema: {error.message[:200]}"


@lru_cache(maxsize=1)
def _validators() -> tuple[Any, ...]:
    """The meta-schemas of the drafts that tools are written in."""
    from jsonschema.validators import Draft4Validator, Draft7Validator, Draft202012Validator

    drafts = (Draft202012Validator, Draft7Validator, Draft4Validator)
    return tuple(draft(draft.META_SCHEMA) for draft in drafts)
