"""S110: a string may hold the text that ends it, and is cut there."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.deep.result import CUT_INSIDE
from structag_cli.lint.rule import Rule
from structag_cli.lint.silent import found_of, mismatches
from structag_cli.lint.subject import Subject

_WORDS = {
    "enum": "a value that the schema lists holds",
    "const": "the value that the schema wants holds",
    "type": "the grammar lets this string hold",
}


def check(subject: Subject) -> Iterator[Found]:
    """Each parameter where it is so; strings inside of JSON values only as information."""
    for tool, found in mismatches(subject, "cut"):
        if found.stress == CUT_INSIDE:
            what = "a string inside of this JSON value may hold"
            severity, mend = Severity.INFO, "choose a parser with JSON arguments, or accept it"
        else:
            lets = f"with `{found.keyword}` the grammar lets this string hold"
            what, severity, mend = _WORDS.get(found.keyword, lets), None, ""
        message = f"{what} the text that ends it, where a parser cuts"
        yield found_of(tool, found, message, mend, severity)


def _tool(content: object) -> list[object]:
    parameters = {
        "type": "object",
        "properties": {"content": content},
        "required": ["content"],
        "additionalProperties": False,
    }
    return [{"name": "write", "description": "Write.", "parameters": parameters}]


RULE = Rule(
    code="S110",
    name="closing-in-string",
    severity=Severity.WARNING,
    summary="A string may hold the text that ends it, and is cut there.",
    why=(
        "XML-like styles write strings raw, up to a closing mark such as `</parameter>`. The "
        "grammar keeps the mark out of a plain string. With a length or a pattern it does "
        "not: the model may write the mark and go on, and a parser cuts the value there and "
        "reads what follows as another parameter, or as nothing. The witness is accepted by "
        "the grammar and read back as something else. JSON values inside of such styles have "
        "the same fault wherever they hold a string."
    ),
    mend="leave the string without length and pattern, and check the value after parsing",
    check=check,
    deep=True,
    parser="qwen3_coder",
    bad=_tool({"type": "string", "maxLength": 8000}),
    good=_tool({"type": "string"}),
    source="xgrammar 0.2.9, measured",
)
