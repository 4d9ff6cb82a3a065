"""From the options of ``structag mask`` to its results."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from structag_cli.commands.inputs import Inputs, load
from structag_cli.commands.options import RequestFlags
from structag_cli.commands.output import talk
from structag_cli.errors import ExitCode, UsageError
from structag_cli.pipeline import Answer
from structag_cli.place import Place
from structag_cli.request import Tool

if TYPE_CHECKING:
    from structag_cli.masks.bans import BanReport
    from structag_cli.masks.self_check import SelfCheck
    from structag_cli.masks.step import Step, Stepper
    from structag_cli.masks.trust import TokenizerFinding
    from structag_cli.masks.walk import Walk
    from structag_cli.tokenizers.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class MaskJob:
    """The options, as typed."""

    flags: RequestFlags
    tokenizers: tuple[str, ...]
    tag: str | None
    prefix: str | None
    prefix_file: str | None
    tokens: str | None
    token: tuple[str, ...]
    walk: str | None
    ban: tuple[str, ...]
    ban_mode: Literal["token", "string", "both"] | None
    vocab_size: int | None
    self_check: bool
    svg: str | None
    html: str | None
    save: str | None
    allow_download: bool
    no_cache: bool
    format: Literal["text", "json", "csv"]
    output: str | None
    quiet: bool

    @property
    def stepping(self) -> bool:
        """Whether a step or a walk is asked for, rather than a ban report."""
        given = (self.prefix, self.prefix_file, self.tokens, self.walk, self.save)
        return bool(self.token) or self.self_check or any(v is not None for v in given)

    def say(self, text: str) -> None:
        """Tell the user what takes long, on stderr."""
        talk(text, quiet=self.quiet)


@dataclass(slots=True)
class Outcome:
    """All that a run found, in order of tokenizers and parsers."""

    bans: list[tuple[BanReport, list[TokenizerFinding]]] = field(default_factory=list)
    steps: list[tuple[Stepper, Step, str | None, list[TokenizerFinding], SelfCheck | None]] = field(
        default_factory=list
    )
    walks: list[tuple[Stepper, Walk, str | None, list[TokenizerFinding], list[SelfCheck]]] = field(
        default_factory=list
    )


_SOME_TOOL = Tool("get_weather", None, None, None, Place("-"))
"""Stands for the request's tools where a ban is looked at without any."""


def run(job: MaskJob) -> ExitCode:
    """Do the job and print it.

    Raises:
        StructagError: an option, a file or a prefix is wrong.
    """
    from structag_cli.commands.mask_print import present

    _check_options(job)
    requests = _requests(job)
    outcome = Outcome()
    for name in job.tokenizers:
        tokenizer = _open(job, name)
        _on_tokenizer(job, tokenizer, requests, outcome)
    present(job, outcome)
    return ExitCode.FAILED if _failed(outcome) else ExitCode.OK


def _failed(outcome: Outcome) -> bool:
    """A walk was refused, or mask and matcher differ."""
    checks = [row[4] for row in outcome.steps if row[4] is not None]
    checks += [check for row in outcome.walks for check in row[4]]
    refused = any(walk.refused is not None for _s, walk, *_rest in outcome.walks)
    return refused or any(not check.holds for check in checks)


def _check_options(job: MaskJob) -> None:
    starts = [
        name
        for name, value in (
            ("--prefix", job.prefix),
            ("--prefix-file", job.prefix_file),
            ("--tokens", job.tokens),
            ("--walk", job.walk),
        )
        if value is not None
    ]
    for text in (job.prefix or "", *job.token, *job.ban):
        if any("\ud800" <= char <= "\udfff" for char in text):
            raise UsageError(f"{text!a} is not UTF-8 text", mend="--tokens gives bytes by id")
    if len(starts) > 1:
        raise UsageError(f"{' and '.join(starts)} exclude each other", mend="give one")
    if job.walk is not None and job.token:
        raise UsageError("--token asks about one place", mend="give the place with --prefix")
    compared = len(job.tokenizers) > 1 or "," in (job.flags.parser or "")
    if compared and job.save is not None:
        raise UsageError("--save keeps one walk", mend="give one tokenizer and one parser")


def _requests(job: MaskJob) -> list[tuple[str | None, Inputs | None]]:
    """Parser name and what was read for it; nothing is read when a tag is given."""
    if job.tag is not None:
        return [(job.flags.parser, None)]
    parsers = [name.strip() for name in (job.flags.parser or "").split(",") if name.strip()]
    found: list[tuple[str | None, Inputs | None]] = []
    names: list[str | None] = [*parsers] or [None]
    for parser in names:
        inputs = load(replace(job.flags, parser=parser), needs_tools=not _none(job.flags))
        inputs.say_warnings(quiet=job.quiet)
        found.append((parser or inputs.deployment.parser, inputs))
    return found


def _none(flags: RequestFlags) -> bool:
    return flags.tool_choice == "none" or flags.request is not None


def _open(job: MaskJob, name: str) -> Tokenizer:
    from structag_cli.tokenizers.cache import DiskCache, default_root
    from structag_cli.tokenizers.tokenizer import open_tokenizer

    return open_tokenizer(
        name,
        cache=DiskCache(None if job.no_cache else default_root()),
        vocab_size=job.vocab_size,
        allow_download=job.allow_download,
        say=job.say,
    )


def _on_tokenizer(
    job: MaskJob,
    tokenizer: Tokenizer,
    requests: list[tuple[str | None, Inputs | None]],
    outcome: Outcome,
) -> None:
    from structag_cli.masks.bans import BanChecker
    from structag_cli.masks.trust import findings

    checker: BanChecker | None = None
    for parser, inputs in requests:
        none = inputs is not None and inputs.request.choice.mode == "none"
        if none and inputs is not None and not job.stepping:
            checker = checker or BanChecker(tokenizer)
            report = _ban(job, checker, parser or "", inputs)
            outcome.bans.append((report, findings(tokenizer, checker.compiler.stop_ids)))
        else:
            _step(job, tokenizer, parser, inputs, outcome)


def _ban(job: MaskJob, checker: Any, parser: str, inputs: Inputs) -> BanReport:
    from structag_cli.masks.advice import advise
    from structag_cli.masks.bans import BanReport, Mode
    from structag_cli.masks.markers import markers

    tools = inputs.request.tools or ()
    answer = _ban_answer(inputs)
    grammar = answer.grammar
    if grammar is None:
        raise UsageError(
            f"nothing is known of what parser {parser} reads", mend="--grammar FILE describes it"
        )
    wanted: tuple[Mode, ...] = ("token", "string")
    if job.ban_mode in ("token", "string"):
        wanted = (job.ban_mode,)
    strings: dict[Mode, tuple[str, ...]] = {
        "token": job.ban or grammar.ban.tokens,
        "string": job.ban or grammar.ban.strings or grammar.ban.tokens,
    }
    _check_bans(strings, wanted, parser)
    modes = tuple(checker.check(m, strings[m], grammar, tools) for m in wanted if strings[m])
    return BanReport(
        tokenizer=checker.tokenizer,
        parser=parser,
        format=grammar.format,
        sent=f"{inputs.deployment.profile}: {answer.decision.reason}",
        modes=modes,
        advice=tuple(advise(modes)),
        markers=tuple(markers(checker.tokenizer, checker.index, grammar)),
    )


def _ban_answer(inputs: Inputs) -> Answer:
    """What a deployment sends on none; with some tool where the request has none."""
    if not inputs.request.tools:
        inputs.request = replace(inputs.request, tools=(_SOME_TOOL,))
    return inputs.answer()


def _check_bans(strings: dict[Any, tuple[str, ...]], wanted: tuple[Any, ...], parser: str) -> None:
    if not any(strings[mode] for mode in wanted):
        raise UsageError(
            f"parser {parser} has nothing to ban {' or '.join(f'by {m}' for m in wanted)}",
            mend="--ban STRING says what to ban",
        )
    if any(not string for mode in wanted for string in strings[mode]):
        raise UsageError("an empty string cannot be banned", mend="--ban STRING")


def _tag(job: MaskJob, inputs: Inputs | None) -> dict[str, Any]:
    if inputs is None:
        return _saved_tag(job.tag or "-")
    from structag_cli.builder.build import ban_tag, string_ban_tag

    none = inputs.request.choice.mode == "none"
    answer = _ban_answer(inputs) if none else inputs.answer()
    if none and answer.grammar is not None:
        ban = answer.grammar.ban
        if job.ban_mode == "string":
            return string_ban_tag(job.ban or ban.strings or ban.tokens).to_json()
        if job.ban or job.ban_mode == "token":
            return ban_tag(job.ban or ban.tokens).to_json()
    if answer.tag is None:
        raise UsageError(
            f"no tag applies: {answer.decision.reason}",
            mend="--tag FILE, or a request that gets a tag; `structag explain` says why",
        )
    return answer.tag.to_json()


def _saved_tag(path: str) -> dict[str, Any]:
    from structag_cli.emit.finding import tag_of
    from structag_cli.sources import read_document

    tag = tag_of(read_document(path)).tag
    if tag is None:
        raise UsageError(f"{path} holds no tag", mend="`structag build` makes one")
    return dict(tag)


def _step(
    job: MaskJob,
    tokenizer: Tokenizer,
    parser: str | None,
    inputs: Inputs | None,
    outcome: Outcome,
) -> None:
    from structag_cli.masks.markers import call_end
    from structag_cli.masks.step import Stepper, check_ids
    from structag_cli.masks.trust import findings

    # What the user can mend is looked at before the engine is loaded, which takes seconds.
    tag = _tag(job, inputs)
    ids = _output(job, tokenizer)
    queries = [_token_id(tokenizer, text) for text in job.token]
    check_ids(tokenizer, [*ids, *queries])
    stepper = Stepper(tokenizer, tag)
    odd = findings(tokenizer, stepper.compiler.stop_ids)
    if inputs is not None:
        grammar = inputs.answer().grammar
        odd += [] if grammar is None else call_end(stepper, grammar, _called(inputs))
    if job.walk is not None:
        _walk(job, stepper, ids, parser, odd, outcome)
        return
    step = stepper.at(ids, queries)
    check = _checked(job, stepper, ids) if job.self_check else None
    outcome.steps.append((stepper, step, parser, odd, check))


def _called(inputs: Inputs) -> tuple[Tool, ...]:
    """The tools with the one that the request names first."""
    tools = inputs.request.tools or ()
    named = inputs.request.choice.name
    return tuple(sorted(tools, key=lambda tool: tool.name != named)) if named else tools


def _walk(
    job: MaskJob,
    stepper: Stepper,
    ids: list[int],
    parser: str | None,
    odd: list[Any],
    outcome: Outcome,
) -> None:
    from structag_cli.masks.walk import walk

    walked = walk(stepper, ids, keep_masks=job.save is not None)
    checks = []
    if job.self_check:
        taken = [row.id for row in walked.rows if row.allowed]
        checks = [_checked(job, stepper, taken[:n]) for n in range(len(taken) + 1)]
    outcome.walks.append((stepper, walked, parser, odd, checks))


def _checked(job: MaskJob, stepper: Stepper, ids: list[int]) -> SelfCheck:
    from structag_cli.masks.self_check import self_check

    job.say(f"self-check after {len(ids)} tokens: trying {stepper.tokenizer.size} ids")
    return self_check(stepper, ids)


def _output(job: MaskJob, tokenizer: Tokenizer) -> list[int]:
    """The ids of the prefix, or of the output to walk."""
    if job.tokens is not None:
        try:
            return [int(part) for part in job.tokens.split(",") if part.strip()]
        except ValueError:
            raise UsageError(f"--tokens {job.tokens}: not ids", mend="--tokens 1,2,3") from None
    file = job.prefix_file if job.walk is None else job.walk
    if file is not None:
        from structag_cli.sources.reading import read_text

        return tokenizer.encode(read_text(file))
    return tokenizer.encode(job.prefix) if job.prefix else []


def _token_id(tokenizer: Tokenizer, text: str) -> int:
    """An id as digits, else the token with exactly this text."""
    if text.isdigit():
        return int(text)
    data = text.encode("utf-8", "surrogateescape")
    for index, piece in enumerate(tokenizer.pieces):
        if piece == data:
            return index
    ids = tokenizer.encode(text)
    raise UsageError(
        f"--token {text!r} is not one token of {tokenizer.name}",
        mend=f"it is {len(ids)}: {' '.join(map(str, ids))}; ask about one of them",
    )
