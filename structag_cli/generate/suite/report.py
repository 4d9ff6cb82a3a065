"""A suite's report: text for a terminal, Markdown, HTML, JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from structag_cli.generate.suite.record import Record
from structag_cli.generate.suite.summary import VERSION, Summary, summarize

Settings = Mapping[str, Any]


def as_text(records: Sequence[Record], settings: Settings) -> str:
    """A table of the figures, then every output that broke a promise."""
    summary = summarize(records)
    lines = [f"{name:<18}{value}" for name, value in rows(summary)]
    broken = [record for record in records if not record.kept]
    lines += [f"BROKEN {record.id}: {reason}" for record in broken for reason in reasons(record)]
    return "\n".join(lines)


def as_json(records: Sequence[Record], settings: Settings) -> str:
    """Settings, figures and all records."""
    value = {
        "version": VERSION,
        "settings": dict(settings),
        "summary": summarize(records).to_json(),
        "records": [record.to_json() for record in records],
    }
    return json.dumps(value, ensure_ascii=False, indent=2)


def as_markdown(records: Sequence[Record], settings: Settings) -> str:
    """A page for a pull request or a wiki."""
    return _rendered("report.md.j2", records, settings, escape=False)


def as_html(records: Sequence[Record], settings: Settings) -> str:
    """One page that needs no other file."""
    return _rendered("report.html.j2", records, settings, escape=True)


REPORTS = {"text": as_text, "json": as_json, "markdown": as_markdown, "html": as_html}
"""Every report by name."""


def rows(summary: Summary) -> list[tuple[str, str]]:
    """The lines of the table: what, and its figure."""
    return [
        ("outputs", f"{summary.outputs}" + (f", {summary.errors} failed" * bool(summary.errors))),
        *((name, share.text) for name, share in summary.shares),
        ("tokens", f"{summary.tokens}{_forced(summary.forced_share)}"),
        ("speed", f"{summary.tokens_per_second:.1f} tokens/s, {summary.seconds:.1f} s"),
    ]


def _forced(share: float | None) -> str:
    return "" if share is None else f", {share:.0%} forced"


def reasons(record: Record) -> tuple[str, ...]:
    """Why a record is not what was promised."""
    return record.broken if record.error is None else (record.error,)


def _rendered(template: str, records: Sequence[Record], settings: Settings, *, escape: bool) -> str:
    from jinja2 import Environment, PackageLoader

    environment = Environment(
        loader=PackageLoader("structag_cli.generate.suite"),
        autoescape=escape,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["cell"] = _cell
    environment.filters["code"] = lambda value: json.dumps(value, ensure_ascii=False)
    return environment.get_template(template).render(
        rows=rows(summarize(records)),
        records=records,
        settings={key: value for key, value in settings.items() if value is not None},
        reasons=reasons,
    )


def _cell(text: Any) -> str:
    """A text that stays in its cell of a Markdown table."""
    flat = " ".join(str(text).split())
    return flat.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "'")
