"""The ban report for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from structag_cli.masks.bans import BanMode, BannedString, BanReport
from structag_cli.masks.markers import RECOGNISED, Marker
from structag_cli.masks.quoting import count, piece, shorten
from structag_cli.masks.trust import TokenizerFinding
from structag_cli.tokenizers.tokenizer import Tokenizer

_SHOWN = 24


def ban_text(report: BanReport, findings: Sequence[TokenizerFinding]) -> str:
    """The whole report, plain text."""
    return "\n".join(_lines(report, findings))


def _lines(report: BanReport, findings: Sequence[TokenizerFinding]) -> Iterator[str]:
    yield f"Ban of tool calls: parser {report.parser} ({report.format}), tool_choice none"
    yield from tokenizer_lines(report.tokenizer)
    yield f"sent        {report.sent}"
    for mode in report.modes:
        yield ""
        yield from _mode(mode, report.tokenizer)
    if len(report.modes) > 1:
        yield ""
        yield from _side_by_side(report.modes)
    yield from marker_lines(report.markers)
    yield ""
    yield "What to do"
    yield from (f"  {sentence}" for sentence in report.advice)
    yield from finding_lines(findings)


def tokenizer_lines(tokenizer: Tokenizer) -> Iterator[str]:
    """The tokenizer, its size and its stops."""
    vocabulary = tokenizer.vocabulary
    text = f"tokenizer   {tokenizer.name}: {count(vocabulary.size)} ids"
    if tokenizer.padding:
        text += f", {count(len(tokenizer.padding))} ids of padding up to {count(tokenizer.size)}"
    yield text
    for stop in vocabulary.stops:
        yield f"stop        {stop.id} {stop.text}  ({stop.source})"


def marker_lines(markers: Sequence[Marker]) -> Iterator[str]:
    """How the format's markers are written; nothing when it has none."""
    if not markers:
        return
    yield ""
    yield "Markers of the format, on no grammar at all"
    for marker in markers:
        ids = " ".join(map(str, marker.token_ids))
        ways = "1 spelling" if marker.spellings == 1 else f"{count(marker.spellings)} spellings"
        yield f"  {piece(marker.string.encode())}  {ids}: {marker.standing}, {ways}"
    yield f"  {RECOGNISED}"


def finding_lines(findings: Sequence[TokenizerFinding]) -> Iterator[str]:
    """What is odd about the tokenizer; nothing when nothing is."""
    if findings:
        yield ""
        yield "About the tokenizer"
        yield from (f"  {f.severity}: {f.message} [{f.code}]" for f in findings)


def _mode(mode: BanMode, tokenizer: Tokenizer) -> Iterator[str]:
    how = "by token (exclude_tokens)" if mode.mode == "token" else "by string (excludes)"
    yield f"Ban {how}"
    if mode.error:
        yield f"  does not compile: {mode.error}"
        yield "  below: what can be written without any ban"
    else:
        yield from _mask(mode, tokenizer)
    for ban in mode.bans:
        yield from _ban(ban, tokenizer)


def _mask(mode: BanMode, tokenizer: Tokenizer) -> Iterator[str]:
    mask = mode.mask
    yield f"  mask      {count(mask.allowed)} allowed, {count(mask.banned)} banned" + (
        f", {count(mask.padding)} padding" if mask.padding else ""
    )
    banned = mask.banned_ids()
    for index in banned[:_SHOWN]:
        yield f"  banned    {index} {piece(tokenizer.pieces[index])}"
    if len(banned) > _SHOWN:
        yield f"  banned    ... {count(len(banned) - _SHOWN)} more, all in --format json"
    stops = ", ".join(f"{i} {tokenizer.text(i)}" for i in mode.stop_ids_allowed)
    yield f"  stops     {stops or 'none allowed: the output could never end'}"


def _ban(ban: BannedString, tokenizer: Tokenizer) -> Iterator[str]:
    leak = ban.leak
    ids = " ".join(map(str, ban.token_ids))
    what = "one token" if ban.single_token else "not one token"
    kind = f", {ban.standing}" if ban.single_token else ""
    yield f"  {ban.string}"
    yield f"    tokens    {ids}  ({what}{kind})"
    if not leak.leaks:
        yield f"    leak      none: no tokens write it; spellings stop at byte {leak.stops_at}"
        return
    ways = f"{count(leak.spellings)} spellings, {count(leak.covers)} with text at its edges"
    yield f"    leak      YES: {ways}"
    pieces = " ".join(f"{piece(tokenizer.pieces[i])}" for i in leak.witness)
    ids = " ".join(map(str, leak.witness))
    checked = "accepted by xgrammar" if leak.accepted else "NOT accepted by xgrammar"
    yield f"    witness   {pieces}  ({ids}), {checked}"
    if ban.containing:
        yield f"    within    {shorten(', '.join(map(repr, ban.containing)), 100)}"
    if ban.parsed_calls:
        names = ", ".join(str(call["name"]) for call in ban.parsed_calls)
        yield f"    a parser  reads a call of {names} from {shorten(repr(ban.call_text), 90)}"
    elif ban.call_text:
        yield "    a parser  reads no call from a sample call written so"


def _side_by_side(modes: Sequence[BanMode]) -> Iterator[str]:
    yield "Side by side       " + "".join(f"{mode.mode:>14}" for mode in modes)
    rows = [
        ("leaks", ["yes" if mode.leaks else "no" for mode in modes]),
        ("tokens masked", [count(mode.mask.banned) for mode in modes]),
        ("compile, ms", [f"{mode.compile_seconds * 1e3:.1f}" for mode in modes]),
        ("one step, us", [f"{mode.step_seconds * 1e6:.1f}" for mode in modes]),
        ("innocent refused", [str(len(mode.innocent)) for mode in modes]),
    ]
    for name, values in rows:
        yield f"  {name:<17}" + "".join(f"{value:>14}" for value in values)
