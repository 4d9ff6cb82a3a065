"""D005: scope or schema mode is set while structural tags are off."""

from collections.abc import Iterator

from structag_cli.deployments.flags import ENABLE, SCHEMA, SCOPE
from structag_cli.findings import Found, Severity
from structag_cli.lint.deployments import at, manifest, misplaced, views
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each worker of which it is so."""
    for view in views(subject):
        if view.on is not False or misplaced(subject, view.worker, ENABLE):
            continue
        found = [view.worker.get(flag) for flag in (SCOPE, SCHEMA)]
        given = [setting for setting in found if setting is not None]
        if given:
            names = " and ".join(setting.flag for setting in given)
            yield at(view.worker, given[0], f"{names} without effect: tags are off", given[0].flag)


RULE = Rule(
    code="D005",
    name="setting-while-off",
    severity=Severity.WARNING,
    summary="Scope or schema mode is set while structural tags are off.",
    why=(
        "Scope and schema mode mean something only when the master switch is on, and it is off by "
        "default in Dynamo 1.3 to 1.5. Whoever sets them wants tags."
    ),
    mend="add --dyn-enable-structural-tag, or remove the setting",
    check=check,
    bad=manifest("--dyn-tool-call-parser", "hermes", "--dyn-structural-tag-scope", "always"),
    good=manifest(
        "--dyn-tool-call-parser",
        "hermes",
        "--dyn-enable-structural-tag",
        "--dyn-structural-tag-scope",
        "always",
    ),
    source="Dynamo's structural-tag page, CLI flags",
)
