"""G005: a trigger occurs in ordinary text."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.ordinary import ordinary
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import begin_of, tag_nodes


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    for node in tag_nodes(subject, "triggered_tags"):
        begins = [begin for tag in node.tags() if (begin := begin_of(tag)) is not None]
        for index, trigger in enumerate(node.texts("triggers")):
            word = ordinary(trigger)
            if word and not _a_call(word, trigger, begins):
                yield Found(f"{node.pointer}/triggers/{index}", _message(trigger, word, begins))


def _a_call(word: str, trigger: str, begins: list[str]) -> bool:
    """Whether the ordinary text is the beginning of a call itself."""
    tail = word[word.index(trigger) :]
    return any(begin.startswith(tail) or tail.startswith(begin) for begin in begins)


def _message(trigger: str, word: str, begins: list[str]) -> str:
    """What the trigger forbids: which texts alone may follow it."""
    rests = dict.fromkeys(b[len(trigger) :] for b in begins if b.startswith(trigger))
    shown = [repr(rest[:40]) if rest else "a tag's content" for rest in list(rests)[:3]]
    more = f" and {len(rests) - 3} more" if len(rests) > 3 else ""
    only = f" After it only {' or '.join(shown)}{more} may follow." if shown else ""
    return f"trigger {trigger[:60]!r} is in ordinary text: {word!r} becomes impossible.{only}"


RULE = Rule(
    code="G005",
    name="trigger-in-words",
    severity=Severity.WARNING,
    summary="A trigger occurs in ordinary text.",
    why=(
        "Once the trigger is written only a call may follow. A trigger of letters, or a "
        "short one, fires in the middle of a word (`function` in `functional`) or in a JSON"
        " answer, and the text that was meant becomes impossible."
    ),
    mend="use a trigger with markup in it that ordinary text does not hold",
    check=check,
    bad={
        "type": "structural_tag",
        "format": {
            "type": "triggered_tags",
            "triggers": ["f"],
            "tags": [
                {
                    "type": "tag",
                    "begin": "f(",
                    "content": {
                        "type": "json_schema",
                        "json_schema": {
                            "type": "object",
                            "properties": {"a": {"type": "string"}},
                            "required": ["a"],
                        },
                    },
                    "end": ")",
                }
            ],
        },
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
