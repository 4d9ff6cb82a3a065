"""Masks at a prefix and walks for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from structag_cli.masks.ban_text import finding_lines, tokenizer_lines
from structag_cli.masks.groups import Group
from structag_cli.masks.quoting import count, piece, shorten
from structag_cli.masks.self_check import SelfCheck
from structag_cli.masks.step import Query, Step, Stepper
from structag_cli.masks.trust import TokenizerFinding
from structag_cli.masks.walk import Row, Walk

_FEW = 24


def step_text(
    stepper: Stepper,
    step: Step,
    findings: Sequence[TokenizerFinding],
    check: SelfCheck | None = None,
) -> str:
    """The mask after a prefix."""
    return "\n".join(_step(stepper, step, findings, check))


def _step(
    stepper: Stepper,
    step: Step,
    findings: Sequence[TokenizerFinding],
    check: SelfCheck | None,
) -> Iterator[str]:
    yield from tokenizer_lines(stepper.tokenizer)
    if step.ids:
        yield f"after       {len(step.ids)} tokens, {shorten(repr(step.text), 120)}"
    mask = step.mask
    padding = f", {count(mask.padding)} padding" if mask.padding else ""
    yield f"mask        {count(mask.allowed)} allowed, {count(mask.banned)} banned{padding}"
    yield f"expects     {step.words}"
    yield f"in the tag  {step.place.pointer}"
    if step.forced_text:
        yield f"forced      {piece(step.forced_text.encode())}"
    stops = ", ".join(f"{i} {stepper.tokenizer.text(i)}" for i in step.stop_ids_allowed)
    yield f"stops       {stops or 'none allowed here'}"
    if mask.allowed <= _FEW:
        for index in mask.allowed_ids():
            yield f"allowed     {index} {piece(stepper.pieces[index])}"
    else:
        yield "allowed, by meaning"
        yield from (_group(group, stepper) for group in step.meaning)
        yield "allowed, by first character"
        yield from (_group(group, stepper) for group in step.first)
    for query in step.queries:
        yield from query_lines(query)
    if check is not None:
        yield from check_lines(check)
    yield from (f"warning     {warning}" for warning in stepper.grammar.warnings)
    yield from finding_lines(findings)


def query_lines(query: Query) -> Iterator[str]:
    """A token that was asked about."""
    shown = piece(query.text.encode())
    if query.allowed:
        yield f"token       {query.id} {shown}: allowed"
        return
    place = f" (tag {query.place})" if query.place else ""
    yield f"token       {query.id} {shown}: not allowed"
    yield f"  because   {query.why}{place}"
    yield f"  instead   {query.instead}"


def check_lines(check: SelfCheck) -> Iterator[str]:
    """The self-check's outcome."""
    if check.holds:
        yield f"self-check  mask and matcher agree on all {count(check.tried)} ids"
        return
    yield f"self-check  FAILED after {check.position} tokens"
    yield f"  allowed by the mask, refused by the matcher: {list(check.allowed_but_refused)}"
    yield f"  banned by the mask, taken by the matcher: {list(check.banned_but_accepted)}"


def _group(group: Group, stepper: Stepper) -> str:
    shown = " ".join(piece(stepper.pieces[index]) for index in group.examples[:6])
    more = " ..." if group.count > 6 else ""
    return f"  {count(group.count):>9}  {group.name:<20} {shown}{more}"


def walk_text(stepper: Stepper, walk: Walk, findings: Sequence[TokenizerFinding]) -> str:
    """The rows of a walk and its outcome."""
    return "\n".join(_walk(stepper, walk, findings))


def _walk(stepper: Stepper, walk: Walk, findings: Sequence[TokenizerFinding]) -> Iterator[str]:
    yield from tokenizer_lines(stepper.tokenizer)
    yield f"{'':>5} {'id':>8} {'allowed':>9}  token"
    for row in walk.rows:
        yield _row(row)
    refused = walk.refused
    if refused is not None and refused.refusal is not None:
        yield f"refused at token {refused.position}"
        yield from query_lines(refused.refusal)
        yield f"expected    {walk.expects}"
    elif walk.complete:
        yield "accepted, and complete: the output may end here"
    else:
        yield "accepted so far, and not complete"
        yield f"expected    {walk.expects}"
    yield from finding_lines(findings)


def _row(row: Row) -> str:
    shown = piece(row.text.encode())
    if row.allowed is None:
        return f"{row.position:>5} {row.id:>8} {'':>9}  {shown}"
    mark = "REFUSED" if not row.allowed else "forced" if row.forced else ""
    return f"{row.position:>5} {row.id:>8} {count(row.count):>9}  {shown}  {mark}".rstrip()
