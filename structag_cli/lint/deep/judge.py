"""What JSON Schema says of an instance: the one judge of every witness."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from structag_cli.ecma_patterns import reading
from structag_cli.lint.nodes import subschemas
from structag_cli.reader.json_text import dumps


class Judge:
    """Validates instances against one schema; nothing is ever fetched.

    What a reference to another document leads to is not known; such references are kept in
    ``outside``. An instance is judged with all of them allowing everything, and nothing.

    Args:
        schema: the schema; its ``$schema`` chooses the draft, 2020-12 otherwise.
        kind: the validator class, where the draft is known and the schema is sound.
    """

    def __init__(self, schema: Any, kind: Any = None) -> None:
        from referencing import Registry

        kind = self.kind = reading(kind or draft_of(schema))
        self._with_format = '"format"' in json.dumps(schema)
        self.outside: set[str] = set()
        self._asked_outside = False
        registry: Any = Registry(retrieve=self._retrieve)  # type: ignore[call-arg]
        self._registry = registry
        closed: Any = Registry(retrieve=_nothing)  # type: ignore[call-arg]
        self._validator = kind(schema, registry=registry)
        self._strictest = kind(schema, registry=closed)
        self._with_formats = kind(schema, registry=registry, format_checker=kind.FORMAT_CHECKER)

    def _retrieve(self, uri: str) -> Any:
        self.outside.add(uri)
        self._asked_outside = True
        return _resource(_Elsewhere())

    def allows(self, value: Any) -> bool | None:
        """Whether an instance is valid; ``None`` where that cannot be said."""
        try:
            self._asked_outside = False
            valid = bool(self._validator.is_valid(value))
            if not self._asked_outside:
                return valid
            return valid if self._proven(valid, value) else None
        except Exception:  # referencing and re raise several kinds
            return None

    def wholly_allows(self, value: Any) -> bool:
        """Whether an instance is certainly valid, its formats included."""
        return self._certain(self._with_formats, value)

    def part_wholly_allows(self, schema: Any, value: Any) -> bool:
        """Whether a value is certainly valid by a subschema, its formats included."""
        try:
            part = self._with_formats.evolve(schema=schema)
        except (TypeError, ValueError, AttributeError):  # a `$schema` that is no URI
            return False
        return self._certain(part, value)

    def _certain(self, validator: Any, value: Any) -> bool:
        try:
            self._asked_outside = False
            return bool(validator.is_valid(value)) and not self._asked_outside
        except Exception:
            return False

    def _proven(self, valid: bool, value: Any) -> bool:
        """Whether a verdict holds whatever the unknown documents say."""
        return not self._turning and valid == bool(self._strictest.is_valid(value))

    @cached_property
    def _turning(self) -> bool:
        """Whether keywords that turn valid into invalid make the two extremes no proof."""
        words = {"not", "oneOf", "if", "contains", "unevaluatedProperties", "unevaluatedItems"}
        return any(words & set(node) for node, _ in subschemas(self._validator.schema))

    def formats_hold(self, value: Any) -> bool:
        """Whether a valid instance holds its formats, too."""
        return not self._with_format or _holds(self._with_formats, value)

    def formats_surely_hold(self, value: Any) -> bool:
        """The same, where jsonschema's own checkers let pass what a format's RFC does not."""
        return not self._with_format or _holds(self._surely_formatted, value)

    @cached_property
    def _surely_formatted(self) -> Any:
        from structag_cli.lint.deep.sure_formats import SureFormats

        # Not `evolve`, which asks `$schema` for the draft, and that may be anything.
        checker = SureFormats(self.kind.FORMAT_CHECKER)
        return self.kind(self._validator.schema, registry=self._registry, format_checker=checker)

    def first_error(self, value: Any, *, formats: bool = False) -> tuple[str, str, str]:
        """Keyword, schema pointer and message of the error that says most."""
        from jsonschema.exceptions import best_match

        validator = self._with_formats if formats else self._validator
        error = best_match(_until_a_fault(validator.iter_errors(value)))
        if error is None:
            return "", "", ""
        while error.parent is not None and error.parent.validator != "$ref":
            error = error.parent
        pointer = "".join(
            "/" + str(part).replace("~", "~0").replace("/", "~1")
            for part in error.absolute_schema_path
        )
        return str(error.validator), pointer, _in_json(error)


def _holds(validator: Any, value: Any) -> bool:
    """Whether nothing speaks against an instance."""
    try:
        return bool(validator.is_valid(value))
    except Exception:  # referencing and re raise several kinds
        return True


def _in_json(error: Any) -> str:
    """The message of an error, which begins with the instance, as JSON writes that."""
    message, shown = str(error.message), repr(error.instance)
    if not message.startswith(shown):
        return message
    return dumps(error.instance) + message[len(shown) :]


def _until_a_fault(errors: Iterator[Any]) -> Iterator[Any]:
    """The errors before a reference or a pattern that cannot be read, if there is one."""
    try:
        yield from errors
    except Exception:  # referencing and re raise several kinds
        return


class _Elsewhere(dict[str, Any]):
    """A document that is not known: every pointer into it leads to itself."""

    def __missing__(self, key: str) -> Any:
        return self


def _resource(contents: Any) -> Any:
    from referencing.jsonschema import DRAFT202012

    return DRAFT202012.create_resource(contents)


def _nothing(_: str) -> Any:
    return _resource(_Elsewhere({"not": {}}))


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
        try:
            return validator_for(schema, default=Draft202012Validator)
        except (TypeError, ValueError, AttributeError):  # a `$schema` that is no URI
            return Draft202012Validator
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
