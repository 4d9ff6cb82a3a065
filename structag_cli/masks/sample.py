"""Texts to try a ban on: a call, and writing that nobody means to forbid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from structag_cli.formats.model import Grammar
from structag_cli.reader import Call, render_calls
from structag_cli.request import Tool

_PLACEHOLDERS: dict[str, Any] = {
    "string": "Paris",
    "integer": 3,
    "number": 1.5,
    "boolean": True,
    "array": [],
    "object": {},
    "null": None,
}

INNOCENT = (
    ("C++ include", "#include <functional>\n#include <vector>\n"),
    ("Python import", "import functools\n\n@functools.cache\ndef f(x): return x\n"),
    ("JSON object", '{"name": "Ann", "age": 3}'),
    ("JSON list", '[{"name": "Ann"}, {"name": "Bob"}]'),
    ("XML", '<tools><tool name="hammer"/></tools>\n<function>f</function>\n'),
    ("HTML", "<p>Call <code>tool_call()</code> &lt;now&gt;</p>"),
    ("shell", 'cat <<EOF > out.txt\n$(date) | grep "tool"\nEOF\n'),
    ("mathematics", "if a < b and b > c then |a - c| > 0"),
)
"""Writing that holds pieces of markers: label and text."""


def sample_call(grammar: Grammar, tools: Sequence[Tool]) -> str:
    """The text of one call, of the first tool where there are any."""
    if not tools:
        return render_calls(grammar, [Call("get_weather", {"city": "Paris"})])
    tool = tools[0]
    return render_calls(
        grammar,
        [Call(tool.name, _arguments(tool.parameters))],
        schemas={tool.name: tool.parameters},
    )


def _arguments(schema: Any) -> dict[str, Any]:
    """Something for each required property: enough to see whether a call is read."""
    if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        return {}
    found = {}
    for name in schema.get("required") or ():
        declared = schema["properties"].get(name)
        found[name] = _value(declared if isinstance(declared, dict) else {})
    return found


def _value(schema: dict[str, Any]) -> Any:
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        return schema["enum"][0]
    kind = schema.get("type", "string")
    return _PLACEHOLDERS.get(kind if isinstance(kind, str) else "string", "Paris")


def innocent_texts(strings: Sequence[str]) -> list[tuple[str, str]]:
    """Label and text; the last ones speak about the banned strings themselves."""
    spoken = [
        (f"a text about {s}", f"The model writes {s} before it calls a tool.") for s in strings
    ]
    return [*INNOCENT, *spoken]
