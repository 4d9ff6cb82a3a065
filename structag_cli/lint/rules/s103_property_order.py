"""S103: the grammar wants properties in declared order."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.silent import found_of, once_a_tool
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """One finding a tool."""
    for tool, found, _ in once_a_tool(subject, "order"):
        yield found_of(tool, found, "properties must come in the order in which they are declared")


RULE = Rule(
    code="S103",
    name="property-order",
    severity=Severity.INFO,
    summary="The grammar wants properties in declared order.",
    why=(
        "JSON objects have no order, but the grammar has: a property that comes before one "
        "declared earlier is refused. A model that learned another order is steered away "
        "from what it wants to write."
    ),
    mend="declare properties in the order in which the model writes them, or set `any_order`",
    check=check,
    deep=True,
    bad=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
                "required": ["a"],
            },
        }
    ],
    good=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"a": {"type": "string"}},
                "required": ["a"],
            },
        }
    ],
    source="xgrammar 0.2.9, measured",
)
