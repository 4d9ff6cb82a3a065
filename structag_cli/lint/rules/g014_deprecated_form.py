"""G014: the tag is in an older form, or uses a deprecated node."""

from collections.abc import Iterator

from structag_cli.emit.anatomy import is_legacy
from structag_cli.findings import Found, Severity
from structag_cli.lint.fixes.edits import Edit, Insert, Replace
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import TagNode, tag_nodes


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    if subject.tag is not None and is_legacy(subject.tag):
        yield Found(subject.pointer, "the older form, structures and triggers")
    for node in tag_nodes(subject, "qwen_xml_parameter"):
        yield Found(
            f"{node.pointer}/type", "qwen_xml_parameter is deprecated", fix=_newer(subject, node)
        )


def _newer(subject: Subject, node: TagNode) -> tuple[Edit, ...]:
    """The same grammar as ``json_schema``, where the target knows styles and no field is left."""
    if set(node.value) != {"type", "json_schema"} or subject.settings.target is not None:
        return ()
    return (
        Replace(f"{node.pointer}/type", "json_schema"),
        Insert(node.pointer, "style", "qwen_xml"),
    )


RULE = Rule(
    code="G014",
    name="deprecated-form",
    severity=Severity.INFO,
    summary="The tag is in an older form, or uses a deprecated node.",
    why=(
        "`structures` with `triggers` is the form before xgrammar 0.1.25. Engines that take it "
        "rewrite it; xgrammar 0.2.9 itself refuses it as JSON (`must have a format field`). "
        "`qwen_xml_parameter` became `json_schema` with a style, and still works."
    ),
    mend="write the newer form; `structag show --format json` prints it",
    fix=(
        '`qwen_xml_parameter` becomes `json_schema` with `"style": "qwen_xml"`, which compiles '
        "to the same grammar; not with `--target`, as older releases know no styles."
    ),
    check=check,
    bad={
        "type": "structural_tag",
        "structures": [
            {
                "begin": "<f>",
                "schema": {
                    "type": "object",
                    "properties": {"a": {"type": "string"}},
                    "required": ["a"],
                },
                "end": "</f>",
            }
        ],
        "triggers": ["<f>"],
    },
    good={
        "type": "structural_tag",
        "format": {
            "type": "triggered_tags",
            "triggers": ["<f>"],
            "tags": [
                {
                    "type": "tag",
                    "begin": '<f>{"n": "f", "a": ',
                    "content": {
                        "type": "json_schema",
                        "json_schema": {
                            "type": "object",
                            "properties": {"a": {"type": "string"}},
                            "required": ["a"],
                        },
                    },
                    "end": "}</f>",
                }
            ],
        },
    },
)
