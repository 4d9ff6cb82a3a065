"""What ``structag prefix`` prints."""

from __future__ import annotations

from typing import Any

from structag_cli.prefix.compare import ChoiceRow, Renderer, Turn, TurnRow

VERSION = 1
"""Version of the JSON that ``prefix --format json`` writes."""

_FLAG = "exclude-tools-when-tool-choice-none"


def to_json(renderer: Renderer, turns: list[Turn]) -> dict[str, Any]:
    """The contract of ``prefix --format json``."""
    conversations = {
        "exclude": renderer.turns(turns, exclude=True),
        "keep": renderer.turns(turns, exclude=False),
    }
    return {
        "version": VERSION,
        "template": renderer.template.file,
        "block_size": renderer.block,
        "choices": [_choice(row) for row in renderer.choices(turns[-1])],
        "conversation": {
            name: {
                "turns": [_turn(row) for row in rows],
                "prompt_tokens": sum(row.tokens for row in rows),
                "computed_tokens": sum(row.computed for row in rows),
                "reused_share": _share(rows),
            }
            for name, rows in conversations.items()
        },
    }


def _choice(row: ChoiceRow) -> dict[str, Any]:
    parting = row.parting
    return {
        "tool_choice": row.choice,
        "exclude_tools": row.exclude,
        "prompt_tokens": row.tokens,
        "common_prefix": row.common,
        "reusable_tokens": row.reusable,
        "reusable_share": round(row.share, 4),
        "parts_at": None
        if parting is None
        else {"token": parting.index, "here": parting.here, "auto": parting.there},
    }


def _turn(row: TurnRow) -> dict[str, Any]:
    return {
        "turn": row.number,
        "tool_choice": row.choice,
        "prompt_tokens": row.tokens,
        "reused_tokens": row.reused,
        "computed_tokens": row.computed,
    }


def _share(rows: list[TurnRow]) -> float:
    total = sum(row.tokens for row in rows)
    return round(sum(row.reused for row in rows) / total, 4) if total else 1.0


def text(renderer: Renderer, turns: list[Turn]) -> str:
    """The report for people, plain text."""
    lines = [
        f"Prompts of the last request, against its `auto` prompt ({renderer.template.file})",
        f"  tool_choice  {_FLAG}  tokens  common prefix  reusable  parts at",
    ]
    for row in renderer.choices(turns[-1]):
        lines.append(
            f"  {row.choice:11}  {'yes' if row.exclude else 'no':{len(_FLAG)}}  {row.tokens:6}  "
            f"{row.common:13}  {_percent(row.share):>8}  {_parting(row)}"
        )
    if len(turns) > 1:
        lines += ["", *_conversation(renderer, turns)]
    return "\n".join(lines)


def _conversation(renderer: Renderer, turns: list[Turn]) -> list[str]:
    lines = ["The conversation, each turn against all before it (computed = not in the cache)"]
    lines.append("  turn  tool_choice  tools leave on none         tools stay")
    gone, kept = renderer.turns(turns, exclude=True), renderer.turns(turns, exclude=False)
    for one, other in zip(gone, kept, strict=True):
        lines.append(f"  {one.number:4}  {one.choice:11}  {_cell(one):26}  {_cell(other)}")
    for rows, words in ((gone, "tools leave on none"), (kept, "tools stay")):
        total = sum(row.tokens for row in rows)
        computed = sum(row.computed for row in rows)
        lines.append(
            f"  {words}: {computed} of {total} prompt tokens computed, "
            f"{_percent(_share(rows))} from the cache"
        )
    return lines


def _cell(row: TurnRow) -> str:
    return f"{row.computed} of {row.tokens} computed"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _parting(row: ChoiceRow) -> str:
    if row.parting is None:
        return "nowhere"
    here, there = row.parting.here or "(end)", row.parting.there or "(end)"
    return f"token {row.parting.index}: {here!r}, auto has {there!r}"
