"""The ban report as JSON: the contract is in ``docs/reference/mask-json.md``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from structag_cli.masks.bans import BanMode, BannedString, BanReport
from structag_cli.masks.trust import TokenizerFinding

VERSION = 1


def ban_json(report: BanReport, findings: Sequence[TokenizerFinding]) -> dict[str, Any]:
    """One report. The fields at the top are those of its first mode."""
    first = report.modes[0]
    return {
        "version": VERSION,
        "kind": "ban",
        "tokenizer": report.tokenizer.name,
        "parser": report.parser,
        "format": report.format,
        "sent": report.sent,
        "vocab_size": report.tokenizer.size,
        **_mask(first),
        "forced_text": "",
        "bans": [_ban(ban, mode) for mode in report.modes for ban in mode.bans],
        "modes": [_mode(mode) for mode in report.modes],
        "markers": [marker.to_json() for marker in report.markers],
        "advice": list(report.advice),
        "findings": [finding_json(finding) for finding in findings],
    }


def finding_json(finding: TokenizerFinding) -> dict[str, Any]:
    """One finding about the tokenizer."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
    }


def _mask(mode: BanMode) -> dict[str, Any]:
    return {
        "allowed": mode.mask.allowed,
        "banned": mode.mask.banned,
        "padding": mode.mask.padding,
        "banned_ids": mode.mask.banned_ids(),
        "stop_ids_allowed": list(mode.stop_ids_allowed),
    }


def _mode(mode: BanMode) -> dict[str, Any]:
    return {
        "mode": mode.mode,
        "tag": mode.tag,
        "error": mode.error or None,
        "leaks": mode.leaks,
        **_mask(mode),
        "compile_ms": round(mode.compile_seconds * 1e3, 3),
        "step_us": round(mode.step_seconds * 1e6, 2),
        "innocent_refused": list(mode.innocent),
    }


def _ban(ban: BannedString, mode: BanMode) -> dict[str, Any]:
    leak = ban.leak
    return {
        "mode": mode.mode,
        "string": ban.string,
        "token_ids": list(ban.token_ids),
        "single_token": ban.single_token,
        "standing": ban.standing,
        "leaks": leak.leaks,
        "spellings": leak.spellings,
        "covers": leak.covers,
        "stops_at": leak.stops_at,
        "witness_ids": list(leak.witness),
        "witness_text": ban.witness_text,
        "witness_accepted": leak.accepted,
        "containing": list(ban.containing),
        "call_ids": list(ban.call_ids),
        "call_text": ban.call_text,
        "call_accepted": ban.call_accepted,
        "parsed_calls": [dict(call) for call in ban.parsed_calls],
    }
