"""D006: a flag stands on the Frontend that belongs on the worker, or the reverse."""

from collections.abc import Iterator

from structag_cli.deployments.flags import EXCLUDE, FLAGS, PROCESSOR
from structag_cli.deployments.model import Setting, Worker
from structag_cli.findings import Found, Severity
from structag_cli.lint.deployments import at, manifest, processes, shared, views
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each flag of which it is so."""
    for process in processes(subject):
        for setting in process.settings:
            home = FLAGS[setting.flag].home
            if shared(subject, process, setting):
                continue
            if process.role == "frontend" and home == "worker":
                message = f"{setting.flag} belongs on the worker, not on {process.name}"
                yield at(process, setting, message, setting.flag)
            elif process.role != "frontend" and home == "frontend" and not setting.from_env:
                message = f"{setting.flag} belongs on the Frontend, not on {process.name}"
                yield at(process, setting, message, setting.flag)
            elif process.role == "frontend" and _idle(subject, process, setting):
                message = f"{setting.flag} on {process.name} does not reach the default processor"
                yield at(process, setting, message, setting.flag, Severity.WARNING)


def _idle(subject: Subject, process: Worker, setting: Setting) -> bool:
    """Whether the exclusion of tools stands on a Frontend that leaves it to the workers."""
    if setting.flag != EXCLUDE or process.value(PROCESSOR, "dynamo") != "dynamo":
        return False
    views_ = [view for view in views(subject) if view.worker.graph == process.graph]
    return bool(views_) and any(
        view.worker.value(EXCLUDE, True) != setting.value for view in views_
    )


RULE = Rule(
    code="D006",
    name="flag-on-wrong-process",
    severity=Severity.ERROR,
    summary="A flag stands on the Frontend that belongs on the worker, or the reverse.",
    why=(
        "Parser and tag settings are read by the worker, which publishes them; the Frontend needs "
        "none of them. `--dyn-chat-processor` is the Frontend's. `--exclude-tools-when-tool- "
        "choice-none` on the Frontend steers the Python chat processors alone; the default Rust "
        "processor obeys the worker's."
    ),
    mend="move it to the process that reads it",
    check=check,
    bad=manifest("--dyn-tool-call-parser", "hermes", frontend=("--dyn-enable-structural-tag",)),
    good=manifest("--dyn-tool-call-parser", "hermes", "--dyn-enable-structural-tag"),
    source="FrontendArgGroup and DynamoRuntimeArgGroup; Dynamo's page Chat Processors",
)
