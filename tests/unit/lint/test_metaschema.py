"""A schema is invalid only where every draft says so; the newest says why."""

from __future__ import annotations

import pytest

from structag_cli.lint import metaschema
from structag_cli.lint.metaschema import schema_error


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"minimum": 1, "exclusiveMinimum": True},  # draft 4 alone
        {"items": [{"type": "string"}]},  # draft 7 and before
        {"dependencies": {"a": ["b"]}},
        {"prefixItems": [{"type": "string"}], "items": False},
        {"additionalItems": 3, "minContains": 1},  # draft 2020-12 alone
    ],
)
def test_what_one_draft_allows_is_valid(schema) -> None:
    assert schema_error(schema) is None


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"type": "str"}, "/type"),
        ({"properties": {"a/b": {"minimum": "1"}}}, "/properties/a~1b/minimum"),
        ({"minimum": 1, "exclusiveMinimum": True, "prefixItems": 3, "required": 1}, None),
    ],
)
def test_what_no_draft_allows(schema, pointer) -> None:
    found = schema_error(schema)
    assert found is not None
    assert pointer in (None, found[0])


def test_the_slow_draft_is_not_asked_about_what_another_allows(monkeypatch) -> None:
    *others, _newest = metaschema._validators()

    class Slow:
        def iter_errors(self, schema):
            raise AssertionError(f"asked about {schema}")

    monkeypatch.setattr(metaschema, "_validators", lambda: (*others, Slow()))
    assert schema_error({"type": "object", "properties": {"a": {"type": "string"}}}) is None
