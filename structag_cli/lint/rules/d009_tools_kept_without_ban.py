"""D009: tools stay in the prompt on `tool_choice: none`, and nothing bans calls."""

from collections.abc import Iterator

from structag_cli.deployments.flags import ENABLE, EXCLUDE, PARSER
from structag_cli.findings import Found, Severity
from structag_cli.lint.deployments import at, bans, manifest, misplaced, supported, views
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each worker of which it is so."""
    for view in views(subject):
        kept = view.worker.get(EXCLUDE)
        if (
            kept is None
            or kept.value is not False
            or misplaced(subject, view.worker, ENABLE, PARSER)
        ):
            continue
        parser = view.worker.value(PARSER)
        if view.on is False and isinstance(parser, str):
            yield at(view.worker, kept, "tools stay in the prompt on none, and no ban", EXCLUDE)
        elif view.on is True and isinstance(parser, str) and _no_ban(parser, view.profile):
            message = f"tools stay in the prompt on none, and {parser} has nothing to ban"
            yield at(view.worker, kept, message, EXCLUDE)


def _no_ban(parser: str, profile: str) -> bool:
    """A parser with a tag but no ban; one without a tag is D004's."""
    return supported(parser, profile) and not bans(parser, profile)


RULE = Rule(
    code="D009",
    name="tools-kept-without-ban",
    severity=Severity.WARNING,
    summary="Tools stay in the prompt on `tool_choice: none`, and nothing bans calls.",
    why=(
        "With `--no-exclude-tools-when-tool-choice-none` the model sees the tools on `none`. "
        "Without the ban tag it may write a call, which nobody parses: its markup reaches the "
        "answer's text."
    ),
    mend=(
        "switch structural tags on with a parser that has ban tokens, or let the tools leave the "
        "prompt"
    ),
    check=check,
    bad=manifest("--dyn-tool-call-parser", "hermes", "--no-exclude-tools-when-tool-choice-none"),
    good=manifest(
        "--dyn-tool-call-parser",
        "hermes",
        "--dyn-enable-structural-tag",
        "--no-exclude-tools-when-tool-choice-none",
    ),
    source="Dynamo's structural-tag page, token banning; ai-dynamo/dynamo#7391",
)
