"""What JSON Schema says of an instance: the one judge of every witness."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from structag_cli.lint.nodes import subschemas


class Judge:
    """Validates instances against one schema; nothing is ever fetched.

    What a reference to another document leads to is taken to allow everything; such
    references are kept in ``outside``.

    Args:
        schema: the schema; its ``$schema`` chooses the draft, 2020-12 otherwise.
    """

    def __init__(self, schema: Any) -> None:
        from referencing import Registry

        kind = draft_of(schema)
        self.schema_error = self._error_of(kind, schema)
        self.outside: set[str] = set()
        registry: Any = Registry(retrieve=self._retrieve)  # type: ignore[call-arg]
        self._validator = kind(schema, registry=registry)
        self._with_formats = kind(schema, registry=registry, format_checker=kind.FORMAT_CHECKER)

    def _retrieve(self, uri: str) -> Any:
        """A schema that lies elsewhere: anything may be in it, so it allows everything."""
        from referencing.jsonschema import DRAFT202012

        self.outside.add(uri)
        return DRAFT202012.create_resource({})

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


def draft_of(schema: Any) -> Any:
    """The validator of a schema: by ``$schema``, else 2020-12, or what its keywords ask for."""
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import (
        Draft4Validator,
        Draft7Validator,
        Draft202012Validator,
        validator_for,
    )

    if not isinstance(schema, Mapping) or "$schema" in schema:
        return validator_for(schema, default=Draft202012Validator)
    order = [Draft202012Validator, Draft7Validator, Draft4Validator]
    if any("dependencies" in node for node, _ in subschemas(schema)):
        order = [Draft7Validator, Draft4Validator]
    for kind in order:
        try:
            kind.check_schema(schema)
        except SchemaError:
            continue
        return kind
    return Draft202012Validator


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
