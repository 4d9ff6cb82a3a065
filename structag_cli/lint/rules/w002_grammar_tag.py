"""W002: the tags that a grammar file builds have a fault."""

from collections.abc import Iterator
from dataclasses import replace

from structag_cli.findings import Found, Severity
from structag_cli.lint.grammars import sample_tags, sound_grammar, written_at
from structag_cli.lint.rule import Rule
from structag_cli.lint.samples import CALL, grammar_file
from structag_cli.lint.subject import Subject

TRIED = ("G003", "G004", "G007", "G008", "G010", "G011", "G012", "G017", "G018", "G020")
"""Rules for tags whose faults lie in the format; others depend on the tools or on taste."""


def check(subject: Subject) -> Iterator[Found]:
    """What the tag rules find in the tags of the file's own example tools."""
    from structag_cli.lint.registry import rules

    grammar = sound_grammar(subject)
    if grammar is None:
        return
    seen = set()
    for sample in sample_tags(grammar):
        built = replace(subject, kind="tag", value=sample.tag, tag=sample.tag, pointer="")
        for code in (*TRIED, "G005"):
            for found in rules()[code].check(built):
                pointer = subject.pointer + written_at(grammar, found.pointer)
                if (code, pointer) in seen or (code == "G005" and not _short(found.message)):
                    continue
                seen.add((code, pointer))
                message = f"in the tag for {sample.what}: {found.message} ({code})"
                yield Found(pointer, message, found.mend or rules()[code].mend, keyword=code)


def _short(message: str) -> bool:
    """Whether a trigger in ordinary text is a word or a sign, not the format's own JSON."""
    trigger = message.removeprefix("trigger ").split(" is in ordinary")[0].strip("'\"")
    return len(trigger) < 3 or trigger.isalnum()


RULE = Rule(
    code="W002",
    name="grammar-tag",
    severity=Severity.WARNING,
    summary="The tags that a grammar file builds have a fault.",
    why=(
        "The tags for the file's own example tools are built as `structag build` builds them,"
        " for auto and required, with one call and several, and the rules for tags look at "
        "them. The finding stands where the grammar file writes the text at fault."
    ),
    mend="see the page of the rule in brackets",
    check=check,
    bad=grammar_file(
        calls=[CALL, {**CALL, "begin": ["<call>{name}", {"regex": "[a-z]*", "example": "x"}]}]
    ),
    good=grammar_file(),
)
