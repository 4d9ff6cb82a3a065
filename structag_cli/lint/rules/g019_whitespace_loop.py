"""G019: arguments that may be nothing but white space, without end."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import tag_nodes
from structag_cli.lint.whitespace import only_space


def check(subject: Subject) -> Iterator[Found]:
    """Each schema without properties, in a style that has no brackets."""
    for node in tag_nodes(subject, "json_schema", "qwen_xml_parameter"):
        style = node.value.get("style", "json") if node.kind == "json_schema" else "qwen_xml"
        if "max_whitespace_cnt" not in node.value and only_space(
            node.value.get("json_schema"), str(style)
        ):
            yield Found(node.pointer, f"no arguments in style {style}: white space without end")


RULE = Rule(
    code="G019",
    name="whitespace-loop",
    severity=Severity.WARNING,
    summary="A call without arguments may hold white space without end.",
    why=(
        "For a schema without properties the XML styles allow white space and the end, "
        "nothing else. A model that expects an argument there writes tabs or newlines to the "
        "token limit, which users report for Qwen, GLM and DeepSeek."
    ),
    mend=("set max_whitespace_cnt on the json_schema node, or give the tool a required property"),
    check=check,
    bad={
        "type": "structural_tag",
        "format": {
            "type": "triggered_tags",
            "triggers": ["<f"],
            "tags": [
                {
                    "type": "tag",
                    "begin": "<f>",
                    "content": {
                        "type": "json_schema",
                        "json_schema": {"type": "object", "properties": {}},
                        "style": "qwen_xml",
                    },
                    "end": "</f>",
                }
            ],
        },
    },
    good={
        "type": "structural_tag",
        "format": {
            "type": "triggered_tags",
            "triggers": ["<f"],
            "tags": [
                {
                    "type": "tag",
                    "begin": "<f>",
                    "content": {
                        "type": "json_schema",
                        "json_schema": {"type": "object", "properties": {}},
                        "style": "qwen_xml",
                        "max_whitespace_cnt": 2,
                    },
                    "end": "</f>",
                }
            ],
        },
    },
    source="xgrammar 0.2.9, measured",
)
