"""S106: a string can hold no newline, quote or backslash, though the schema allows them."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.deep.result import Mismatch
from structag_cli.lint.rule import Rule
from structag_cli.lint.silent import found_of, mismatches, once_a_place, refused_name
from structag_cli.lint.subject import RawTool, Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for tool, found, stressed in once_a_place(subject, "escapes"):
        yield found_of(tool, found, f"this string can hold no {', '.join(stressed)}")
    for name, (tool, found) in _names(subject).items():
        message = f"the property {name[1]!r} must be named without escapes"
        yield found_of(tool, found, message, "give the property a name of ASCII letters and _")


def _names(subject: Subject) -> dict[tuple[int, str], tuple[RawTool, Mismatch]]:
    """The refused names of each tool, once each, at the innermost place that showed it."""
    names: dict[tuple[int, str], tuple[RawTool, Mismatch]] = {}
    for tool, found in mismatches(subject, "name"):
        known = names.setdefault((tool.index, refused_name(found)), (tool, found))
        if found.pointer.startswith(known[1].pointer):
            names[tool.index, refused_name(found)] = tool, found
    return names


RULE = Rule(
    code="S106",
    name="escapes-refused",
    severity=Severity.WARNING,
    summary="A string can hold no newline, quote or backslash, though the schema allows them.",
    why=(
        "A string with a length or a pattern is compiled without escapes, so text with a "
        "line break or a quotation mark is cut off there. This hurts tools that write files"
        " or code. The name of a property is a fixed text, so a model that writes its letters"
        " as escapes (`\\u00ef`) is refused there as well."
    ),
    mend=(
        "leave out `minLength`, `maxLength` and `pattern` where text is free, and check the"
        " length after parsing"
    ),
    check=check,
    deep=True,
    bad=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"s": {"type": "string", "maxLength": 20}},
                "required": ["s"],
                "additionalProperties": False,
            },
        }
    ],
    good=[
        {
            "name": "f",
            "description": "Do f.",
            "parameters": {
                "type": "object",
                "properties": {"s": {"type": "string"}},
                "required": ["s"],
                "additionalProperties": False,
            },
        }
    ],
    source="xgrammar 0.2.9, measured",
)
