"""D011: the target release does not have a flag, or its xgrammar cannot do the tags."""

from collections.abc import Iterator

from structag_cli.deployments.flags import FLAGS, PARSER, TAG
from structag_cli.deployments.model import Setting
from structag_cli.findings import Found, Severity
from structag_cli.lint.deployments import View, at, manifest, tag_troubles, views
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.targets import dynamo_release, xgrammar_target


def check(subject: Subject) -> Iterator[Found]:
    """Each flag, or worker, of which it is so."""
    target = subject.settings.target
    if target is None:
        return
    release = dynamo_release(target)
    for view in views(subject):
        if release is None:
            yield from _engine(subject, view)
        else:
            yield from _flags(view, release)


def _flags(view: View, release: tuple[int, int]) -> Iterator[Found]:
    words = ".".join(map(str, release))
    old: list[Setting] = []
    for setting in view.worker.settings:
        flag = FLAGS[setting.flag]
        if flag.since is not None and release < flag.since:
            since = ".".join(map(str, flag.since))
            message = f"Dynamo {words} has no {flag.name}: it came with {since}"
            yield at(view.worker, setting, message, flag.name)
        elif flag.deprecated is not None and release >= flag.deprecated:
            old.append(setting)
    if old:
        names = ", ".join(dict.fromkeys(setting.flag for setting in old))
        message = f"Dynamo {words} warns of {names}: use {TAG}"
        yield at(view.worker, old[0], message, old[0].flag, Severity.WARNING)


def _engine(subject: Subject, view: View) -> Iterator[Found]:
    """What the target's xgrammar does with the tags of this worker, unless another engine's."""
    target = xgrammar_target(subject.settings.target or "")
    if not view.on or _other(view, target.engine):
        return
    troubles = list(dict.fromkeys(tag_troubles(subject, view)))
    if troubles:
        short = "; ".join(each.removeprefix(f"{target.words} ") for each in troubles)
        message = f"this worker's tags need more: {target.words} {short}"
        yield at(view.worker, view.worker.get(PARSER) or view.switch, message, PARSER)


def _other(view: View, engine: str) -> bool:
    """Whether the target is an engine and the worker runs another one."""
    known = {"vllm": "vllm", "sglang": "sglang", "trtllm": "tensorrt-llm"}
    return engine in known.values() and known.get(view.worker.engine, engine) != engine


RULE = Rule(
    code="D011",
    name="release-cannot",
    severity=Severity.ERROR,
    summary="The target release does not have a flag, or its xgrammar cannot do the tags.",
    why=(
        "Dynamo has the three flags since 1.3 and one flag, `--dyn-structural-tag`, since 1.6, "
        "which refuses the old ones beside it and warns of them alone. Older engines bring an "
        "xgrammar that rejects the nodes of a tag or, worse, ignores them."
    ),
    mend="use the release's own flags, or a release that has them",
    check=check,
    bad=manifest("--dyn-tool-call-parser", "hermes", "--dyn-structural-tag"),
    good=manifest("--dyn-tool-call-parser", "hermes", "--dyn-enable-structural-tag"),
    target="dynamo==1.4",
    source="DynamoRuntimeArgGroup by release; xgrammar releases, each measured on probes",
)
