"""Prints what ``structag mask`` found, and writes its files."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from structag_cli.commands.output import write
from structag_cli.errors import InputError
from structag_cli.place import Place
from structag_cli.whole_files import replace_bytes

if TYPE_CHECKING:
    from structag_cli.commands.mask_run import MaskJob, Outcome


def present(job: MaskJob, outcome: Outcome) -> None:
    """Results to stdout or ``--output``; pictures and masks to their files."""
    _files(job, outcome)
    if job.format == "json":
        import json

        values = _values(outcome)
        several = len(values) > 1
        value = {"version": 1, "kind": "comparison", "reports": values} if several else values[0]
        write(json.dumps(value, ensure_ascii=False), job.output)
    elif job.format == "csv":
        write(_csv(outcome), job.output)
    else:
        _strips(job, outcome)
        write(_text(outcome), job.output)


def _values(outcome: Outcome) -> list[dict[str, Any]]:
    from structag_cli.masks.ban_json import ban_json
    from structag_cli.masks.step_json import check_json, step_json, walk_json

    found = [ban_json(report, odd) for report, odd in outcome.bans]
    found += [step_json(s, step, odd, p, check) for s, step, p, odd, check in outcome.steps]
    for stepper, walk, parser, odd, checks in outcome.walks:
        value = walk_json(stepper, walk, odd, parser)
        value["self_check"] = [check_json(check) for check in checks] or None
        found.append(value)
    return found


def _table(outcome: Outcome) -> list[list[str]]:
    from structag_cli.masks import compare

    if outcome.bans:
        return compare.ban_table([report for report, _odd in outcome.bans])
    if outcome.steps:
        return compare.step_table([(s, step, p or "") for s, step, p, *_ in outcome.steps])
    return compare.walk_table([(s, walk, p or "") for s, walk, p, *_ in outcome.walks])


def _text(outcome: Outcome) -> str:
    from structag_cli.masks.ban_text import ban_text
    from structag_cli.masks.compare import table_text
    from structag_cli.masks.step_text import check_lines, step_text, walk_text

    if len(outcome.bans) + len(outcome.steps) + len(outcome.walks) > 1:
        return table_text(_table(outcome))
    if outcome.bans:
        return ban_text(*outcome.bans[0])
    if outcome.steps:
        stepper, step, _parser, odd, check = outcome.steps[0]
        return step_text(stepper, step, odd, check)
    stepper, walk, _parser, odd, checks = outcome.walks[0]
    lines = [line for check in checks if not check.holds for line in check_lines(check)]
    if checks and not lines:
        lines = [f"self-check  mask and matcher agree at all {len(checks)} steps"]
    return "\n".join([walk_text(stepper, walk, odd), *lines])


def _csv(outcome: Outcome) -> str:
    import csv

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    if len(outcome.walks) == 1:
        from structag_cli.masks.step_json import row_json

        writer.writerow(["position", "id", "text", "allowed", "allowed_count", "forced"])
        for row in outcome.walks[0][1].rows:
            value = row_json(row)
            writer.writerow([value[key] for key in list(value)[:6]])
    elif len(outcome.steps) == 1:
        stepper, step, *_rest = outcome.steps[0]
        writer.writerow(["id", "text", "allowed"])
        for index, bit in enumerate(step.mask.bits[: stepper.tokenizer.vocabulary.size].tolist()):
            writer.writerow([index, stepper.tokenizer.text(index), bit])
    else:
        writer.writerows(_table(outcome))
    return stream.getvalue()


def _strips(job: MaskJob, outcome: Outcome) -> None:
    """Heat strips, where a terminal shows colours."""
    colours = job.output is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    if not colours or not outcome.walks:
        return
    from rich.console import Console

    from structag_cli.masks.heat import strip

    console = Console()
    for stepper, walk, *_rest in outcome.walks:
        console.print(strip(walk, stepper.tokenizer.size))


def _files(job: MaskJob, outcome: Outcome) -> None:
    if job.svg is not None or job.html is not None:
        pictures = _pictures(outcome)
        if job.svg is not None:
            if len(pictures) != 1:
                raise InputError(
                    f"{len(pictures)} pictures for one file",
                    place=Place(job.svg),
                    mend="--html takes several; a walk or a ban report has one",
                )
            write(pictures[0], job.svg)
        if job.html is not None:
            from structag_cli.masks.html import page

            write(page("structag mask", pictures, _text(outcome)), job.html)
    if job.save is not None:
        _save(job.save, outcome)


def _pictures(outcome: Outcome) -> list[str]:
    from structag_cli.masks.svg import ban_svg, walk_svg

    found = [ban_svg(report) for report, _odd in outcome.bans]
    for stepper, walk, parser, *_rest in outcome.walks:
        title = f"{parser or 'tag'} on {stepper.tokenizer.name}"
        found.append(walk_svg(walk, title, stepper.tokenizer.size))
    return found


def _save(target: str, outcome: Outcome) -> None:
    """The packed masks, written whole or not at all."""
    import numpy as np

    if outcome.walks:
        stepper, walk, *_rest = outcome.walks[0]
        ids = [row.id for row in walk.rows]
        words = walk.words
    elif outcome.steps:
        stepper, step, *_others = outcome.steps[0]
        ids, words = list(step.ids), step.mask.words[None, :]
    else:
        return
    size = stepper.tokenizer.size
    stream = io.BytesIO()
    empty = np.zeros((0, (size + 31) // 32), dtype=np.int32)
    np.savez_compressed(
        stream,
        bitmask=empty if words is None else words,
        ids=np.array(ids, dtype=np.int64),
        vocab_size=np.int64(size),
    )
    path = Path(os.path.realpath(target))
    try:
        if path.exists() and not path.is_file():  # a device: nothing may take its place
            path.write_bytes(stream.getvalue())
            return
        replace_bytes(path, stream.getvalue(), f".{path.name}.", lambda name: os.chmod(name, 0o644))
    except OSError as err:
        raise InputError(f"cannot write: {err.strerror}", place=Place(target)) from None
