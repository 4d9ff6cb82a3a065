"""Several schemas that must hold at once, as one schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from structag_cli.emit.examples.reading import ANNOTATIONS, FREE, is_closed, resolve
from structag_cli.emit.examples.trouble import NoExample


def merged(root: Any, schemas: list[Any]) -> dict[str, Any]:
    """The schemas as one, marked as free: xgrammar takes it for any value.

    Raises:
        NoExample: two of them have the same keyword, and differ in it.
    """
    whole: dict[str, Any] = {FREE: True}
    if len(schemas) > 2 and any(is_closed(schema) for schema in schemas):
        raise NoExample("an allOf with `additionalProperties: false`")
    for schema in schemas:
        if schema is True:
            continue
        if not isinstance(schema, Mapping):
            raise NoExample("an allOf with false")
        if "$ref" in schema:
            schema = _resolved(root, schema)
        for key, value in schema.items():
            if key == "required" and isinstance(whole.get(key), list):
                whole[key] = [*whole[key], *(v for v in value if v not in whole[key])]
            elif key == "properties" and key in whole:
                whole[key] = _merged_properties(whole[key], value)
            elif key in whole and whole[key] != value and key not in ANNOTATIONS - {"type"}:
                raise NoExample(f"an allOf with `{key}` in two branches")
            else:
                whole[key] = value
    return whole


def _merged_properties(first: Any, second: Any) -> dict[str, Any]:
    for name in set(first) & set(second):
        if first[name] != second[name]:
            raise NoExample(f"an allOf with two schemas for {name!r}")
    return {**first, **second}


def _resolved(root: Any, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    target = schema
    for _ in range(16):
        if "$ref" not in target:
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            return {**target, **beside}
        target = resolve(root, target["$ref"])
        if not isinstance(target, Mapping):
            break
    raise NoExample("an allOf with a reference that leads nowhere")
