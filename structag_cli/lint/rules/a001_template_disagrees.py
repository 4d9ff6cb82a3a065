"""A001: the model's own template writes calls that the tag refuses."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity, Witness
from structag_cli.lint.requests import calls_under_tag
from structag_cli.lint.rule import Rule
from structag_cli.lint.samples import tool
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each recorded case; it is a fact of the parser, so the first file that it meets has it."""
    grammar = subject.settings.grammar
    if grammar is None or subject.document.first_line > 1 or not calls_under_tag(subject):
        return
    profile = subject.settings.policy.profile
    for each in grammar.disagreements:
        if profile in each.profiles:
            yield Found(
                subject.pointer,
                f"{grammar.format}, {profile}: {each.what}",
                f"know that the tag wants {each.accepted[:300]!r}; another parser may agree",
                effect="forbids",
                witness=Witness(each.text, valid=True, accepted=False),
                everywhere=True,
            )


RULE = Rule(
    code="A001",
    name="template-disagrees",
    severity=Severity.INFO,
    summary="The model's own template writes calls that the tag refuses.",
    why=(
        "Under such a tag the model is steered away from the text that it was trained on: "
        "it may stop after the first call, or write worse arguments. Each case is recorded "
        "in the grammar file with its source and tested. A request that forbids calls "
        "(`tool_choice: none`), or that no tag applies to, has no finding. Each case is "
        "told once a run, at the first file that it meets."
    ),
    mend="see the nearest accepted text; another parser or release may agree",
    check=check,
    bad=[tool()],
    good={"type": "structural_tag", "format": {"type": "any_text"}},
    parser="deepseek_v4",
)
