"""G021: white space in arguments has no bound."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import tag_nodes


def check(subject: Subject) -> Iterator[Found]:
    """One finding a tag, at the first such schema."""
    nodes = [
        node
        for node in tag_nodes(subject, "json_schema", "qwen_xml_parameter")
        if "max_whitespace_cnt" not in node.value
    ]
    if nodes:
        yield Found(nodes[0].pointer, f"white space without bound in {len(nodes)} schemas")


RULE = Rule(
    code="G021",
    name="whitespace-unbounded",
    severity=Severity.INFO,
    summary="White space between arguments has no bound.",
    why=(
        "Between the parts of JSON, and around XML arguments, xgrammar allows any amount of "
        "white space, so a model can write newlines to the token limit. Engines build their "
        "tags so, and most models never do it; hence the rule is off by default."
    ),
    mend="set max_whitespace_cnt on the json_schema nodes",
    check=check,
    opt_in=True,
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
                        "json_schema": {
                            "type": "object",
                            "properties": {"a": {"type": "string"}},
                            "required": ["a"],
                        },
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
                        "json_schema": {
                            "type": "object",
                            "properties": {"a": {"type": "string"}},
                            "required": ["a"],
                        },
                        "max_whitespace_cnt": 2,
                    },
                    "end": "</f>",
                }
            ],
        },
    },
    source="xgrammar 0.2.9, measured",
)
