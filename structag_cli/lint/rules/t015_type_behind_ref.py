"""T015: a parameter whose type stands behind a reference, in an XML format."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.schemas import style_of
from structag_cli.lint.subject import Subject
from structag_cli.place import escape_pointer

_JSON = {"json", "gemma"}


def check(subject: Subject) -> Iterator[Found]:
    """Each parameter of a tool that has a reference and no type."""
    grammar = subject.settings.grammar
    if grammar is None or style_of(grammar) in _JSON:
        return
    for tool, schema in subject.schemas():
        declared = schema.get("properties")
        for name, node in declared.items() if isinstance(declared, dict) else ():
            if isinstance(node, dict) and "$ref" in node and "type" not in node:
                yield Found(
                    f"{tool.schema_pointer}/properties/{escape_pointer(str(name))}",
                    f"{tool.title}: the type of {str(name)[:60]!r} stands behind {node['$ref']!r}",
                    keyword="$ref",
                    subject=tool.title,
                )


RULE = Rule(
    code="T015",
    name="type-behind-ref",
    severity=Severity.INFO,
    summary="A parameter's type stands behind a reference, in an XML format.",
    why=(
        "XML formats write values without quotes, so the parser must know the type to read "
        "`5` or `{...}`. The grammar follows the reference; parsers that look at `type` alone"
        " read a string (vLLM before its fix, vllm-project/vllm#46924)."
    ),
    mend="write the type beside the reference, or put the schema in its place",
    check=check,
    bad=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/a"}},
                "$defs": {"a": {"type": "object", "properties": {"x": {"type": "integer"}}}},
            },
        }
    ],
    good=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"a": {"type": "object", "properties": {"x": {"type": "integer"}}}},
            },
        }
    ],
    parser="qwen3_coder",
    source="vLLM's issue tracker",
)
