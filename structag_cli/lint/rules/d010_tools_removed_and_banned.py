"""D010: tools leave the prompt on `tool_choice: none`, and calls are banned as well."""

from collections.abc import Iterator

from structag_cli.deployments.flags import EXCLUDE, PARSER
from structag_cli.findings import Found, Severity
from structag_cli.lint.deployments import at, bans, manifest, views
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each worker that writes the default out beside tags."""
    for view in views(subject):
        removed = view.worker.get(EXCLUDE)
        parser = view.worker.value(PARSER)
        if removed is None or removed.value is not True or not view.on:
            continue
        if isinstance(parser, str) and bans(parser, view.profile):
            message = "tools leave the prompt on none though a ban stops calls: no shared prefix"
            yield at(view.worker, removed, message, EXCLUDE)


RULE = Rule(
    code="D010",
    name="tools-removed-and-banned",
    severity=Severity.INFO,
    summary="Tools leave the prompt on `tool_choice: none`, and calls are banned as well.",
    why=(
        "The setting is written out, so it is a choice: the prompt changes with `tool_choice`, "
        "which throws away the KV cache of the conversation, while the ban alone would stop "
        "calls. `structag prefix` says what that costs."
    ),
    mend=(
        "--no-exclude-tools-when-tool-choice-none keeps the prefix; remove the flag if the "
        "default is meant"
    ),
    check=check,
    bad=manifest(
        "--dyn-tool-call-parser",
        "hermes",
        "--dyn-enable-structural-tag",
        "--exclude-tools-when-tool-choice-none",
    ),
    good=manifest("--dyn-tool-call-parser", "hermes", "--dyn-enable-structural-tag"),
    source="Dynamo's structural-tag page, token banning; ai-dynamo/dynamo#12638",
)
