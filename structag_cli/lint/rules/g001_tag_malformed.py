"""G001: xgrammar refuses the tag."""

from collections.abc import Iterator
from itertools import islice

from structag_cli.emit.anatomy import faults
from structag_cli.findings import Found, Severity
from structag_cli.lint.fixes.edits import Edit
from structag_cli.lint.node_slips import node_slips
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    if subject.tag is None:
        return
    slips: dict[str, tuple[Edit, ...]] | None = None
    for fault in islice(faults(subject.tag), 50):
        slips = node_slips(subject) if slips is None else slips
        pointer = subject.pointer + fault.pointer
        yield Found(pointer, fault.message, fault.mend, fix=slips.get(pointer, ()))


RULE = Rule(
    code="G001",
    name="tag-malformed",
    severity=Severity.ERROR,
    summary="xgrammar refuses the tag.",
    why=(
        "An unknown node type, a missing field or a field of the wrong type: the engine "
        "answers 400, or drops the constraint."
    ),
    mend="mend the node",
    fix=(
        "A misspelt `type` is corrected where no other type is near and the node has all fields of "
        'the one meant and no other; flags and counts in quotes lose them (`"true"`, `"5"`); '
        "`style` and `syntax` that differ in case or separators alone are written as they are "
        "known. Each has one reading."
    ),
    check=check,
    bad={"type": "structural_tag", "format": {"type": "const_strin", "value": "x"}},
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
