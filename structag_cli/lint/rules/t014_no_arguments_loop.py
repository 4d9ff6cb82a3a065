"""T014: a tool without arguments, in a format without brackets."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.schemas import style_of
from structag_cli.lint.subject import Subject
from structag_cli.lint.whitespace import only_space


def check(subject: Subject) -> Iterator[Found]:
    """Each tool whose call may be white space without end."""
    if subject.settings.grammar is None:
        return
    style = style_of(subject.settings.grammar)
    for tool, schema in subject.schemas():
        if only_space(schema, style):
            yield Found(
                tool.schema_pointer,
                f"{tool.title} takes no arguments: in style {style} white space without end may "
                "stand in their place",
                subject=tool.title,
            )


RULE = Rule(
    code="T014",
    name="no-arguments-loop",
    severity=Severity.INFO,
    summary="A tool without arguments, in a format without brackets.",
    why=(
        "Between the begin and the end of such a call the XML styles allow white space and "
        "nothing else, without a bound. Some models write tabs there to the token limit."
    ),
    mend="give the tool a required property, or set max_whitespace_cnt in the tag",
    check=check,
    bad=[{"name": "f", "description": "Do f.", "parameters": {"type": "object", "properties": {}}}],
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
    parser="qwen3_coder",
    source="xgrammar 0.2.9, measured",
)
