"""D013: a worker says two different things about one setting."""

from collections.abc import Iterator

from structag_cli.deployments.command_line import flags_of
from structag_cli.deployments.flags import ENABLE, LEGACY, TAG
from structag_cli.deployments.model import UNKNOWN, Setting, Worker
from structag_cli.findings import Found, Severity
from structag_cli.lint.deployments import at, manifest, processes, shared
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each setting of which it is so."""
    for process in processes(subject):
        for flag in flags_of(process):
            given = process.all(flag.name)
            values = [setting for setting in given if setting.known]
            winner = process.get(flag.name)
            # A graph's variable that one component overrides counts for the others.
            losers = (s for s in values if winner is None or s.value != winner.value)
            loser = next((s for s in losers if not shared(subject, process, s)), None)
            if loser is not None:
                message = f"{loser.wrote} is without effect: {_place(winner)} beats it"
                yield at(process, loser, message, flag.name)
        yield from _mixed(process)


def _mixed(process: Worker) -> Iterator[Found]:
    whole = process.get(TAG)
    if whole is None or whole.value is UNKNOWN:
        return
    for flag in LEGACY:
        setting = process.get(flag)
        agrees = flag == ENABLE and setting and setting.value == (whole.value is not False)
        if setting is not None and not agrees:
            message = f"{TAG} cannot stand beside {setting.wrote}: the worker does not start"
            yield at(process, setting, message, flag, Severity.ERROR)


def _place(setting: Setting | None) -> str:
    if setting is None:
        return "another"
    return f"{setting.wrote} in line {setting.place.line}"


RULE = Rule(
    code="D013",
    name="contradiction",
    severity=Severity.WARNING,
    summary="A worker says two different things about one setting.",
    why=(
        "Of a flag given twice the last counts, and a flag beats its variable: one of the two is "
        "without effect. `--dyn-structural-tag` beside a flag of 1.3 to 1.5 keeps the worker from "
        "starting."
    ),
    mend="keep one",
    check=check,
    bad=manifest(
        "--dyn-tool-call-parser",
        "hermes",
        "--dyn-enable-structural-tag",
        "--no-dyn-enable-structural-tag",
    ),
    good=manifest("--dyn-tool-call-parser", "hermes", "--dyn-enable-structural-tag"),
    source="argparse; resolve_structural_tag_config of Dynamo 1.6",
)
