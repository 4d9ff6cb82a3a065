"""A002: the given chat template writes calls that the tag refuses."""

from collections.abc import Iterator
from typing import Any

from structag_cli.findings import Found, Severity, Witness
from structag_cli.lint.deep.pool import TURNS
from structag_cli.lint.requests import calls_under_tag
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.templates import Written


def check(subject: Subject) -> Iterator[Found]:
    """Each turn that the template writes and the tag refuses, one a kind of parting."""
    seen = subject.probes.get(TURNS)
    if not isinstance(seen, list):
        return
    if not seen and subject.settings.template and calls_under_tag(subject):
        yield Found(
            subject.pointer,
            "the template writes none of the calls that it was given: nothing could be tried",
            "a template that writes `tool_calls`, such as the one in the model's own folder",
            severity=Severity.INFO,
        )
    partings: set[tuple[str, str]] = set()
    for turn, result in seen:
        if result.get("accepted") is not False:
            continue
        before, rest = _around(turn.text, result["position"])
        if (before, rest[:8]) not in partings:
            partings.add((before, rest[:8]))
            yield _found(subject, turn, result["position"], before, rest)


def _around(text: str, position: int) -> tuple[str, str]:
    data = text.encode()
    before = data[max(position - 16, 0) : position].decode("utf-8", "ignore")
    return before, data[position : position + 40].decode("utf-8", "ignore")


def _found(subject: Subject, turn: Written, position: int, before: str, rest: str) -> Found:
    where = f"at byte {position}: after {before!r} "
    where += f"it writes {rest!r}" if rest else "its text ends, and the tag wants more"
    witness: Any = turn.turn.calls[0][1]
    return Found(
        subject.pointer,
        f"{turn.turn.what}: the model's template and the tag part {where}",
        effect="forbids",
        keyword=turn.turn.what,
        witness=Witness(turn.text, valid=True, accepted=False, value=witness, position=position),
    )


RULE = Rule(
    code="A002",
    name="template-parts",
    severity=Severity.WARNING,
    summary="The given chat template writes calls that the tag refuses.",
    why=(
        "A model wants to write what its template wrote in training. Where the tag forbids "
        "that, the mask pushes it off its way at every call: two newlines instead of one, "
        "another order of keys, a blank line before a block. Needs `--template`, or a "
        "`--tokenizer` with one beside it. Calls with one, several and no arguments and two "
        "calls in a turn are rendered with it and tried on the compiled tag; the first byte "
        "where they part is told. A request that forbids calls (`tool_choice: none`), or that no "
        "tag applies to, has no finding."
    ),
    mend="the parser of this model's family, or --grammar with a format that fits the template",
    check=check,
    deep=True,
    parser="hermes",
    template=(
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}"
        "{% for c in m.tool_calls or [] %}<tool_call>\n"
        '{"arguments": {{ c.function.arguments | tojson }}, "name": "{{ c.function.name }}"}'
        "\n</tool_call>{% endfor %}<|im_end|>\n{% endfor %}"
    ),
    bad=[
        {
            "name": "f",
            "description": "Do it.",
            "parameters": {
                "type": "object",
                "properties": {"a": {"type": "string"}},
                "required": ["a"],
            },
        }
    ],
    good={"type": "structural_tag", "format": {"type": "any_text"}},
)
