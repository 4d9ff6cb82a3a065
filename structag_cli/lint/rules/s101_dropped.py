"""S101: the grammar accepts what the schema forbids."""

from collections.abc import Iterator
from itertools import pairwise

from structag_cli.findings import Found, Severity
from structag_cli.lint.deep.result import Mismatch
from structag_cli.lint.rule import Rule
from structag_cli.lint.silent import found_of, mismatches
from structag_cli.lint.subject import Subject

_MENDS = {
    "oneOf": "use anyOf with branches that cannot overlap, or validate after parsing",
    "allOf": "merge the members into one object schema",
    "not": "say what is allowed instead, or validate after parsing",
    "if": "use anyOf of two closed objects, or validate after parsing",
    "then": "use anyOf of two closed objects, or validate after parsing",
    "else": "use anyOf of two closed objects, or validate after parsing",
    "dependentRequired": "use anyOf of two closed objects, or validate after parsing",
    "$ref": "put the schema under $defs and refer to it by #/$defs/...",
}


def check(subject: Subject) -> Iterator[Found]:
    """Each keyword and place that lets something through."""
    for tool, found in mismatches(subject, "drops"):
        what = f"`{found.keyword}` is not enforced: the grammar accepts an instance "
        why = f"of which the schema says: {found.message}" if found.message else "that is invalid"
        yield found_of(tool, found, what + why, _mend(found))


def _mend(found: Mismatch) -> str:
    """What to do: about the keyword itself, or about the innermost one round it."""
    parts = found.pointer.split("/")
    keywords = [part for before, part in pairwise(parts) if before not in ("properties", "$defs")]
    for keyword in (found.keyword, *reversed(keywords)):
        if keyword in _MENDS:
            return _MENDS[keyword]
    return ""


RULE = Rule(
    code="S101",
    name="constraint-dropped",
    severity=Severity.WARNING,
    summary="The grammar accepts an instance that the schema forbids.",
    why="xgrammar compiles a schema to a grammar and drops what it does not support, mostly "
    "without a word. Whoever relies on the schema gets arguments that it forbids. The witness "
    "is judged invalid by `jsonschema` and accepted by the compiled grammar.",
    mend="validate the arguments after parsing, or write the constraint in a way that is enforced",
    check=check,
    deep=True,
    bad=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {
                    "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
                },
                "required": ["tags"],
            },
        }
    ],
    good=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"tags": {"type": "array", "items": {"type": "string"}}},
                "required": ["tags"],
            },
        }
    ],
    source="xgrammar 0.2.9, measured",
)
