"""What JSON Schema says of an instance: the one judge of every witness."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Judge:
    """Validates instances against one schema; nothing is ever fetched.

    Args:
        schema: the schema; its ``$schema`` chooses the draft, 2020-12 otherwise.
    """

    def __init__(self, schema: Any) -> None:
        from jsonschema.validators import Draft202012Validator, validator_for
        from referencing import Registry

        kind = validator_for(schema, default=Draft202012Validator)
        self.schema_error = self._error_of(kind, schema)
        self._validator = kind(schema, registry=Registry())
        self._with_formats = kind(schema, registry=Registry(), format_checker=kind.FORMAT_CHECKER)

    @staticmethod
    def _error_of(kind: Any, schema: Any) -> Any:
        from jsonschema.exceptions import SchemaError

        try:
            kind.check_schema(schema)
        except SchemaError as err:
            return err
        return None

    def allows(self, value: Any) -> bool | None:
        """Whether an instance is valid; ``None`` where the schema cannot be used."""
        try:
            return bool(self._validator.is_valid(value))
        except Exception:  # referencing and re raise several kinds
            return None

    def formats_hold(self, value: Any) -> bool:
        """Whether a valid instance holds its formats, too."""
        try:
            return bool(self._with_formats.is_valid(value))
        except Exception:
            return True

    def first_error(self, value: Any, *, formats: bool = False) -> tuple[str, str, str]:
        """Keyword, schema pointer and message of the error that says most."""
        from jsonschema.exceptions import best_match

        validator = self._with_formats if formats else self._validator
        error = best_match(validator.iter_errors(value))
        if error is None:
            return "", "", ""
        while error.parent is not None and error.parent.validator != "$ref":
            error = error.parent
        pointer = "".join(
            "/" + str(part).replace("~", "~0").replace("/", "~1")
            for part in error.absolute_schema_path
        )
        return str(error.validator), pointer, error.message


def child_error(judge: Judge, schema: Any, value: Any) -> bool | None:
    """Whether a value is valid by a subschema, in the scope of the judge's schema."""
    if schema is True or schema == {}:
        return True
    if not isinstance(schema, Mapping):
        return schema is not False
    try:
        return bool(judge._validator.evolve(schema=schema).is_valid(value))
    except Exception:
        return None
