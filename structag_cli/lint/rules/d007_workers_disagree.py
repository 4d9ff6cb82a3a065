"""D007: workers that serve one model have different settings."""

from collections.abc import Iterator

from structag_cli.deployments.model import UNKNOWN
from structag_cli.findings import Found, Severity
from structag_cli.lint.deployments import View, at, manifest, views
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each worker that differs from the first of its model."""
    first: dict[tuple[str, str], View] = {}
    for view in views(subject):
        model = view.worker.model
        if model is None:
            continue
        one = first.setdefault((view.worker.graph, model), view)
        differing = [name for name in view.settings if _differ(one, view, name)]
        if differing:
            setting = next((view.worker.get(n) for n in differing if view.worker.get(n)), None)
            words = ", ".join(differing)
            message = f"differs from {one.worker.name}, which serves {model} too: {words}"
            yield at(view.worker, setting, message, differing[0])


def _differ(one: View, other: View, name: str) -> bool:
    values = (one.settings[name], other.settings[name])
    return UNKNOWN not in values and values[0] != values[1]


RULE = Rule(
    code="D007",
    name="workers-disagree",
    severity=Severity.WARNING,
    summary="Workers that serve one model have different settings.",
    why=(
        "The Frontend sees one model. Which worker's settings count for a request then depends on "
        "which of them it asked, and answers differ without any change of the request."
    ),
    mend="give all workers of a model the same settings",
    check=check,
    bad=manifest(
        "--model-path",
        "a/b",
        "--dyn-tool-call-parser",
        "hermes",
        "--dyn-enable-structural-tag",
        also=("--model-path", "a/b", "--dyn-tool-call-parser", "hermes"),
    ),
    good=manifest(
        "--model-path",
        "a/b",
        "--dyn-tool-call-parser",
        "hermes",
        also=("--model-path", "a/b", "--dyn-tool-call-parser", "hermes"),
    ),
    source="the settings travel with the model's registration",
)
