"""From the options to a request and a deployment: reading, merging, warning."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from structag_cli.commands.options import RequestFlags
from structag_cli.errors import InputError, UsageError
from structag_cli.formats.model import Grammar
from structag_cli.pipeline import Answer, answer
from structag_cli.place import Place
from structag_cli.policy.profiles import profile_named
from structag_cli.policy.settings import DEFAULT_PROFILE, Deployment
from structag_cli.policy.validate import OPENAI_NAME_LIMIT
from structag_cli.request import ChoiceMode, Tool, ToolChoice, ToolRequest
from structag_cli.sources import Document

if TYPE_CHECKING:
    from structag_cli.deployments import DeploymentFile
    from structag_cli.deployments.effective import Effective

OPTION = Place("--tool-choice")
_MODES: dict[str, ChoiceMode] = {"auto": "auto", "none": "none", "required": "required"}


@dataclass(slots=True)
class Inputs:
    """Everything that a request-reading command works on."""

    request: ToolRequest
    deployment: Deployment
    own_grammar: Grammar | None = None
    documents: list[Document] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    places: Mapping[str, Place] = field(default_factory=dict)
    worker: str | None = None
    effective: Effective | None = None

    def answer(self) -> Answer:
        """Decide and build.

        Raises:
            InputError: the server would refuse the request.
        """
        result = answer(self.request, self.deployment, self.own_grammar)
        if result.decision.error is not None:
            reason = result.decision.reasons[-1]
            raise InputError(
                result.decision.error, place=self.locate(reason.place), mend=self._mend(reason.rule)
            )
        reasons = tuple(
            replace(r, place=self.locate(r.place or self.places.get(r.setting)))
            for r in result.decision.reasons
        )
        return replace(result, decision=replace(result.decision, reasons=reasons))

    def _mend(self, rule: str) -> str:
        """What to do about a request that the server refuses."""
        if rule == "unknown-tool":
            names = ", ".join(tool.name for tool in self.request.tools or ()) or "none"
            return f"the tools are: {shortened(names, 200)}"
        if rule == "required-without-tools":
            return "the tool list needs a tool, or drop the tool_choice"
        return "the server answers 400 with this message"

    def locate(self, place: Place | None) -> Place | None:
        """The place with its line and column, where the document knows them."""
        if place is None or place.line is not None:
            return place
        for document in self.documents:
            if document.file == place.file:
                return document.locate(place.pointer)
        return place

    def warn(self, message: str, place: Place | None) -> None:
        """Keep a warning, with its place."""
        where = self.locate(place)
        self.warnings.append(f"{where}: {message}" if where else message)

    def say_warnings(self, *, quiet: bool) -> None:
        """Print the warnings to stderr."""
        if not quiet:
            for warning in self.warnings:
                print(f"warning: {warning}", file=sys.stderr)


def load(flags: RequestFlags, *, needs_tools: bool = True) -> Inputs:
    """Read all that the options name.

    Args:
        flags: the options.
        needs_tools: whether to insist on ``--tools`` or ``--request``.

    Raises:
        StructagError: something is missing, unreadable or contradictory.
    """
    own = _own_grammar(flags)
    base = read_worker(flags)
    inputs = Inputs(ToolRequest(None), _deployment(flags, own, base), own)
    if base is not None:
        _keep_places(inputs, flags, base)
    if needs_tools and flags.tools is None and flags.request is None:
        raise UsageError("no tools given", mend="--tools FILE, or --request FILE; - reads stdin")
    if flags.request is not None:
        inputs.request = _read_request(flags, inputs)
    if flags.tools is not None:
        inputs.request = replace(inputs.request, tools=_read_tools(flags, inputs))
    _override(flags, inputs)
    if not flags.allow_duplicates:
        _refuse_duplicates(inputs)
    _warn_of_long_names(inputs)
    return inputs


def _keep_places(inputs: Inputs, flags: RequestFlags, base: Effective) -> None:
    """Remember where settings stand, and warn of what is wrong with them or cannot be told."""
    replaced = overridden(flags)
    inputs.worker = base.worker.name
    inputs.effective = replace(
        base,
        deployment=inputs.deployment,
        places={name: at for name, at in base.places.items() if name not in replaced},
    )
    inputs.places = inputs.effective.places
    if not base.worker.dynamo:
        inputs.warn(
            f"{base.worker.name} is the engine's own server, not a Dynamo worker: "
            "the answer is what Dynamo would do with its parser",
            base.worker.place,
        )
    for fault in base.worker.faults:
        inputs.warn(f"{fault.message} ({fault.mend})" if fault.mend else fault.message, fault.place)
    faulty = {place for fault in base.worker.faults for place in (fault.flag, fault.place)}
    for flag in base.unclear:
        at = base.places.get(flag)
        if flag not in replaced and at is not None and at not in faulty:
            inputs.warn(f"the value of {flag} is not known here; its default is used", at)
    for word in base.worker.opaque:
        inputs.warn(f"what {word.text} adds is not known here", word.place)


def shortened(text: str, limit: int) -> str:
    """A text cut to a length, for messages."""
    return text if len(text) <= limit else text[: limit - 3] + "..."


def _own_grammar(flags: RequestFlags) -> Grammar | None:
    from structag_cli.formats.registry import read_grammar

    return None if flags.grammar is None else read_grammar(Path(flags.grammar))


def _deployment(flags: RequestFlags, own: Grammar | None, base: Effective | None) -> Deployment:
    """The settings: the manifest's, overridden by the options."""
    profile = profile_named(flags.profile or DEFAULT_PROFILE)
    start = Deployment(None, profile=profile.name) if base is None else base.deployment
    return replace(
        start,
        parser=_parser_name(flags, own, base),
        enabled=start.enabled if flags.disabled is None else not flags.disabled,
        scope=start.scope if flags.scope is None else flags.scope.value,
        schema=start.schema if flags.schema is None else flags.schema.value,
        exclude_tools_on_none=start.exclude_tools_on_none
        if flags.exclude_tools is None
        else flags.exclude_tools,
        starts_in_reasoning=flags.starts_in_reasoning,
    )


def read_worker(flags: RequestFlags) -> Effective | None:
    """What ``--deployment`` or ``--deployment-args`` says, if either is given.

    Raises:
        StructagError: it cannot be read, or no one worker is meant.
    """
    if flags.deployment is None and flags.deployment_args is None:
        if flags.worker is not None:
            raise UsageError("--worker without a deployment", mend="--deployment FILE")
        return None
    from structag_cli.deployments.effective import choose, effective, profile_of

    found = read_deployment_of(flags)
    worker = choose(found, flags.worker)
    name = profile_of(worker, flags.profile, DEFAULT_PROFILE)
    return effective(worker, profile_named(name))


def deployments(flags: RequestFlags) -> list[Inputs]:
    """The settings of every worker that the options mean: the named one, or all.

    Raises:
        StructagError: the deployment cannot be read, or has no such worker.
    """
    from structag_cli.deployments.effective import choose, effective, profile_of

    own = _own_grammar(flags)
    found = read_deployment_of(flags)
    workers = found.workers if flags.worker is None else [choose(found, flags.worker)]
    read = []
    for worker in workers or [choose(found, None)]:
        profile = profile_named(profile_of(worker, flags.profile, DEFAULT_PROFILE))
        base = effective(worker, profile)
        inputs = Inputs(ToolRequest(None), _deployment(flags, own, base), own)
        _keep_places(inputs, flags, base)
        read.append(inputs)
    return read


def read_deployment_of(flags: RequestFlags) -> DeploymentFile:
    """The deployment that the options name.

    Raises:
        StructagError: it cannot be read, or two are named.
    """
    from structag_cli.deployments import read_arguments, read_deployment

    if flags.deployment is not None and flags.deployment_args is not None:
        raise UsageError("two deployments", mend="--deployment or --deployment-args, not both")
    if flags.deployment is not None:
        return read_deployment(flags.deployment)
    return read_arguments(flags.deployment_args or "")


def overridden(flags: RequestFlags) -> set[str]:
    """The flags of a deployment that options of the command line replace."""
    from structag_cli.deployments import flags as names

    given = {
        names.PARSER: flags.parser,
        names.ENABLE: flags.disabled,
        names.SCOPE: flags.scope,
        names.SCHEMA: flags.schema,
        names.EXCLUDE: flags.exclude_tools,
    }
    return {name for name, value in given.items() if value is not None}


def _parser_name(flags: RequestFlags, own: Grammar | None, base: Effective | None) -> str | None:
    from structag_cli.formats.registry import grammar_for, known_parsers, unknown_parser

    if flags.parser is None:
        if base is not None and own is None:
            return base.deployment.parser
        if own is not None:
            return next(iter(own.engine_names()), own.format)
        mend = "--parser NAME or --deployment FILE; `structag parsers` lists the names"
        raise UsageError("no parser given", mend=mend)
    if own is None and grammar_for(flags.parser) is None and flags.parser not in known_parsers():
        raise unknown_parser(flags.parser)
    return flags.parser


def _read(path: str, inputs: Inputs) -> Document:
    from structag_cli.sources import read_document

    document = read_document(path)
    inputs.documents.append(document)
    return document


def _read_request(flags: RequestFlags, inputs: Inputs) -> ToolRequest:
    from structag_cli.dialects import read_tool_request

    document = _read(flags.request or "-", inputs)
    return read_tool_request(document, dialect=_dialect(flags), warn=inputs.warn)


def _read_tools(flags: RequestFlags, inputs: Inputs) -> tuple[Tool, ...]:
    tools = flags.tools or "-"
    if flags.import_python:
        from structag_cli.dialects.python import python_tools

        return python_tools(tools)
    if _looks_like_python(tools):
        raise UsageError(
            f"{tools} names a Python object, not a file",
            mend="--import-python imports, that is runs, that module",
        )
    from structag_cli.dialects import read_tools

    return read_tools(_read(tools, inputs), dialect=_dialect(flags), warn=inputs.warn)


def _looks_like_python(tools: str) -> bool:
    module, colon, attribute = tools.partition(":")
    names = [*module.split("."), *attribute.split(".")]
    return bool(colon) and all(n.isidentifier() for n in names) and not Path(tools).exists()


def _dialect(flags: RequestFlags) -> Any:
    return None if flags.dialect is None else flags.dialect.value


def with_request(inputs: Inputs, flags: RequestFlags, request: ToolRequest) -> Inputs:
    """The same settings for another request; flags beat what it says."""
    mine = replace(inputs, request=request)
    _override(flags, mine)
    return mine


def _override(flags: RequestFlags, inputs: Inputs) -> None:
    """Flags beat what the request says."""
    if flags.tool_choice is not None:
        choice = _choice(flags.tool_choice)
        inputs.request = replace(inputs.request, choice=choice)
    if flags.parallel is not None:
        inputs.request = replace(inputs.request, parallel_tool_calls=flags.parallel)


def _choice(text: str) -> ToolChoice:
    """``auto``, ``none``, ``required``, a tool's name, or the JSON of any dialect."""
    if text in _MODES:
        return ToolChoice(_MODES[text], place=OPTION)
    if not text.lstrip().startswith(("{", "[", '"')):
        return ToolChoice("named", text, place=OPTION)
    from structag_cli.dialects import read_tool_choice

    try:
        value = json.loads(text)
    except ValueError as err:
        raise UsageError(f"--tool-choice is not valid JSON: {err}") from None
    return read_tool_choice(value, OPTION)


def _refuse_duplicates(inputs: Inputs) -> None:
    seen: dict[str, Tool] = {}
    for tool in inputs.request.tools or ():
        if tool.name in seen:
            first = inputs.locate(seen[tool.name].place)
            raise InputError(
                f"a second tool named {tool.name!r}; the first is at {first}",
                place=inputs.locate(tool.place),
                mend="rename one, or --allow-duplicate-names to see what Dynamo sends",
            )
        seen[tool.name] = tool


def _warn_of_long_names(inputs: Inputs) -> None:
    for tool in inputs.request.tools or ():
        if len(tool.name) > OPENAI_NAME_LIMIT:
            inputs.warn(
                f"the name of tool {shortened(tool.name, 23)} has {len(tool.name)} characters: "
                f"Dynamo accepts it, OpenAI refuses more than {OPENAI_NAME_LIMIT}",
                tool.place,
            )
