"""Masks at a prefix and walks as JSON: the contract is in ``docs/reference/mask-json.md``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from structag_cli.masks.ban_json import VERSION, finding_json
from structag_cli.masks.groups import Group
from structag_cli.masks.self_check import SelfCheck
from structag_cli.masks.step import Query, Step, Stepper
from structag_cli.masks.trust import TokenizerFinding
from structag_cli.masks.walk import Row, Walk


def step_json(
    stepper: Stepper,
    step: Step,
    findings: Sequence[TokenizerFinding],
    parser: str | None,
    check: SelfCheck | None = None,
) -> dict[str, Any]:
    """The mask after a prefix."""
    return {
        **_head("step", stepper, parser),
        "prefix_ids": list(step.ids),
        "prefix_text": step.text,
        "allowed": step.mask.allowed,
        "banned": step.mask.banned,
        "padding": step.mask.padding,
        "banned_ids": step.mask.banned_ids(),
        "stop_ids_allowed": list(step.stop_ids_allowed),
        "forced_text": step.forced_text,
        "expects": step.words,
        "place": {"pointer": step.place.pointer, "argument": step.place.argument},
        "by_meaning": [_group(group) for group in step.meaning],
        "by_first_character": [_group(group) for group in step.first],
        "tokens": [query_json(query) for query in step.queries],
        "self_check": None if check is None else check_json(check),
        "warnings": list(stepper.grammar.warnings),
        "findings": [finding_json(finding) for finding in findings],
    }


def walk_json(
    stepper: Stepper, walk: Walk, findings: Sequence[TokenizerFinding], parser: str | None
) -> dict[str, Any]:
    """A walked output."""
    refused = walk.refused
    return {
        **_head("walk", stepper, parser),
        "accepted": refused is None,
        "complete": walk.complete,
        "ended": walk.ended,
        "expects": walk.expects,
        "refused_at": None if refused is None else refused.position,
        "rows": [row_json(row) for row in walk.rows],
        "warnings": list(stepper.grammar.warnings),
        "findings": [finding_json(finding) for finding in findings],
    }


def row_json(row: Row) -> dict[str, Any]:
    """One token of a walk."""
    return {
        "position": row.position,
        "id": row.id,
        "text": row.text,
        "allowed": row.allowed,
        "allowed_count": row.count,
        "forced": row.forced,
        "refusal": None if row.refusal is None else query_json(row.refusal),
    }


def query_json(query: Query) -> dict[str, Any]:
    """One token that was asked about."""
    return {
        "id": query.id,
        "text": query.text,
        "allowed": query.allowed,
        "why": query.why or None,
        "place": query.place or None,
        "instead": query.instead or None,
    }


def _head(kind: str, stepper: Stepper, parser: str | None) -> dict[str, Any]:
    return {
        "version": VERSION,
        "kind": kind,
        "tokenizer": stepper.tokenizer.name,
        "parser": parser,
        "vocab_size": stepper.tokenizer.size,
    }


def _group(group: Group) -> dict[str, Any]:
    return {"name": group.name, "count": group.count, "examples": list(group.examples)}


def check_json(check: SelfCheck) -> dict[str, Any]:
    """The outcome of a self-check."""
    return {
        "tried": check.tried,
        "holds": check.holds,
        "allowed_but_refused": list(check.allowed_but_refused),
        "banned_but_accepted": list(check.banned_but_accepted),
    }
