"""Writes the grammar schema and the field tables of its reference page.

Run without arguments after a change of ``structag_cli/formats/model.py``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from structag_cli.formats.schema import grammar_schema

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "docs" / "reference" / "grammar.schema.json"
PAGE = ROOT / "docs" / "reference" / "grammar-format.md"
BEGIN = "<!-- fields: written by scripts/grammar_reference.py -->"
END = "<!-- end of fields -->"


def main() -> None:
    """Write both files."""
    SCHEMA.write_text(schema_text(), encoding="utf-8")
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def schema_text() -> str:
    """The schema as it is committed."""
    return json.dumps(grammar_schema(), ensure_ascii=False, indent=2) + "\n"


def with_tables(page: str) -> str:
    """The page with the field tables of today between its two marks."""
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n\n{tables()}\n{END}{tail}"


def tables() -> str:
    """One table for each kind of object, the whole file first."""
    schema = grammar_schema()
    found = [_table("The file", schema)]
    found += [_table(name, schema["$defs"][name]) for name in _in_order(schema)]
    return "\n".join(found)


def _in_order(schema: dict[str, Any]) -> list[str]:
    """The kinds of objects in the order in which the file first uses them."""
    order: list[str] = []
    waiting = [schema]
    while waiting:
        for name in _references(waiting.pop(0)["properties"]):
            if name not in order:
                order.append(name)
                waiting.append(schema["$defs"][name])
    return order


def _references(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"].rsplit("/", 1)[-1]] if "$ref" in value else []
        return own + [name for inner in value.values() for name in _references(inner)]
    if isinstance(value, list):
        return [name for inner in value for name in _references(inner)]
    return []


def _table(name: str, struct: dict[str, Any]) -> str:
    required = set(struct.get("required", ()))
    lines = [f"### {name}", "", struct["description"], "", "| Field | Type | Meaning |"]
    lines.append("| --- | --- | --- |")
    for field, value in struct["properties"].items():
        needed = "**required.** " if field in required else ""
        default = _default(value) if field not in required else ""
        meaning = f"{needed}{value['description']}{default}"
        lines.append(f"| `{field}` | {_type(value)} | {_escaped(meaning)} |")
    return "\n".join([*lines, ""])


def _default(value: dict[str, Any]) -> str:
    default = value.get("default")
    return "" if default in (None, "", [], {}) else f" Default: `{json.dumps(default)}`."


def _type(value: dict[str, Any]) -> str:
    if "$ref" in value:
        name = value["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](#{name.lower()})"
    if "enum" in value:
        return _escaped(" or ".join(f"`{item}`" for item in value["enum"]))
    if "anyOf" in value:
        kinds = [_type(option) for option in value["anyOf"] if option.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    if value.get("type") == "array":
        return f"list of {_type(value.get('items', {}))}"
    if value.get("type") == "object":
        inner = value.get("additionalProperties")
        return f"map to {_type(inner)}" if isinstance(inner, dict) and inner else "object"
    return {"string": "text", "boolean": "true or false"}.get(value.get("type", ""), "any value")


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    main()
