"""Several tokenizers or parsers side by side."""

from __future__ import annotations

from collections.abc import Sequence

from structag_cli.masks.bans import BanReport
from structag_cli.masks.quoting import count, shorten
from structag_cli.masks.step import Step, Stepper
from structag_cli.masks.walk import Walk

Table = list[list[str]]


def ban_table(reports: Sequence[BanReport]) -> Table:
    """A row for each tokenizer, parser, mode and string; the first row is the head."""
    rows = [["tokenizer", "parser", "mode", "string", "one token", "masked", "leaks", "spellings"]]
    for report in reports:
        for mode in report.modes:
            for ban in mode.bans:
                rows.append(
                    [
                        report.tokenizer.name,
                        report.parser,
                        mode.mode,
                        ban.string,
                        "yes" if ban.single_token else "no",
                        "does not compile" if mode.error else count(mode.mask.banned),
                        "yes" if ban.leak.leaks else "no",
                        count(ban.leak.spellings),
                    ]
                )
    return rows


def step_table(steps: Sequence[tuple[Stepper, Step, str]]) -> Table:
    """A row for each tokenizer and parser."""
    rows = [["tokenizer", "parser", "allowed", "banned", "stops", "forced"]]
    for stepper, step, parser in steps:
        rows.append(
            [
                stepper.tokenizer.name,
                parser,
                count(step.mask.allowed),
                count(step.mask.banned),
                " ".join(map(str, step.stop_ids_allowed)) or "none",
                shorten(repr(step.forced_text), 40) if step.forced_text else "",
            ]
        )
    return rows


def walk_table(walks: Sequence[tuple[Stepper, Walk, str]]) -> Table:
    """A row for each tokenizer and parser."""
    rows = [["tokenizer", "parser", "tokens", "forced", "refused at", "complete"]]
    for stepper, walk, parser in walks:
        refused = walk.refused
        rows.append(
            [
                stepper.tokenizer.name,
                parser,
                str(len(walk.rows)),
                str(sum(row.forced for row in walk.rows)),
                "" if refused is None else f"{refused.position} {refused.text!r}",
                "yes" if walk.complete else "no",
            ]
        )
    return rows


def table_text(rows: Table) -> str:
    """The table in columns."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in rows]
    return "\n".join(line.rstrip() for line in lines)
