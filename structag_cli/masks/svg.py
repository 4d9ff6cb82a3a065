"""Pictures of walks and bans, as SVG written by hand: no fonts, no scripts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from textwrap import wrap
from xml.sax.saxutils import escape

from structag_cli.masks.bans import BanMode, BannedString, BanReport
from structag_cli.masks.heat import FORCED, FREE, REFUSED, colour, legend
from structag_cli.masks.quoting import count, piece, shorten
from structag_cli.masks.walk import Walk

_CHAR, _ROW, _MARGIN = 8.4, 34, 24
_WIDTH = 960
_FONT = "ui-monospace, Menlo, Consolas, monospace"
_OPEN = FREE


@dataclass
class _Canvas:
    parts: list[str] = field(default_factory=list)
    y: float = _MARGIN

    def text(self, x: float, text: str, *, bold: bool = False, fill: str = "#1a1a1a") -> None:
        weight = ' font-weight="700"' if bold else ""
        shown = escape(_clean(text))
        self.parts.append(
            f'<text x="{x:.1f}" y="{self.y:.1f}" fill="{fill}"{weight} xml:space="preserve">'
            f"{shown}</text>"
        )

    def box(self, x: float, width: float, fill: str, text: str, note: str = "") -> None:
        top = self.y - 17
        self.parts.append(
            f'<rect x="{x:.1f}" y="{top:.1f}" width="{width:.1f}" height="24" rx="4" '
            f'fill="{fill}" stroke="#00000022"/>'
        )
        self.text(x + 6, text)
        if note:
            self.parts.append(
                f'<text x="{x + 6:.1f}" y="{self.y + 18:.1f}" fill="#666" font-size="9">'
                f"{escape(note)}</text>"
            )

    def svg(self, label: str) -> str:
        height = self.y + _MARGIN
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:.0f}" '
            f'width="{_WIDTH}" height="{height:.0f}" role="img" aria-label="{_attribute(label)}" '
            f'font-family="{_FONT}" font-size="14">\n'
            f'<rect width="{_WIDTH}" height="{height:.0f}" fill="#ffffff"/>\n'
            + "\n".join(self.parts)
            + "\n</svg>\n"
        )


def _attribute(text: str) -> str:
    return escape(_clean(text), {'"': "&quot;"})


def _clean(text: str) -> str:
    """XML holds no control characters, and half a surrogate pair is none either."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _box_width(text: str) -> float:
    wide = sum(1 for char in text if ord(char) > 0x2E7F)
    return (len(text) + wide) * _CHAR + 12


def walk_svg(walk: Walk, title: str, size: int) -> str:
    """A walk: a box a token on the colour of its freedom, wrapped like text."""
    canvas = _Canvas()
    canvas.text(_MARGIN, title, bold=True)
    canvas.y += _ROW
    _legend(canvas)
    x: float = _MARGIN
    for row in walk.rows:
        shown = _clean(row.text.replace("\n", "\u21b5").replace(" ", "\u00b7"))
        note = "" if row.allowed is None else count(row.count)
        width = max(_box_width(shown), len(note) * 5.4 + 12)
        if x + width > _WIDTH - _MARGIN and x > _MARGIN:
            x, canvas.y = _MARGIN, canvas.y + _ROW + 14
        canvas.box(x, width, colour(row, size), shown, note)
        x += width + 3
        if row.text.endswith("\n"):
            x, canvas.y = _MARGIN, canvas.y + _ROW + 14
    canvas.y += _ROW + 14
    refused = walk.refused
    if refused is not None and refused.refusal is not None:
        for line in wrap(_clean(f"refused: {refused.refusal.why}"), 106):
            canvas.text(_MARGIN, line, fill=REFUSED)
            canvas.y += 22
        canvas.text(_MARGIN, shorten(f"accepted instead: {refused.refusal.instead}", 108))
    else:
        done = "complete" if walk.complete else f"not complete, expected: {walk.expects}"
        canvas.text(_MARGIN, shorten(f"accepted, {done}", 108))
    return canvas.svg(title)


def _legend(canvas: _Canvas) -> None:
    x: float = _MARGIN
    for fill, meaning in legend():
        canvas.parts.append(
            f'<rect x="{x:.1f}" y="{canvas.y - 10:.1f}" width="10" height="10" fill="{fill}"/>'
            f'<text x="{x + 14:.1f}" y="{canvas.y:.1f}" font-size="11">{escape(meaning)}</text>'
        )
        x += len(meaning) * 6.8 + 28
    canvas.y += _ROW


def ban_svg(report: BanReport) -> str:
    """A ban: for each mode and string, the banned token and the witness or where it stops."""
    canvas = _Canvas()
    title = f"{report.parser} on {report.tokenizer.name}: tool_choice none"
    canvas.text(_MARGIN, title, bold=True)
    canvas.y += _ROW
    pieces = report.tokenizer.pieces
    for mode in report.modes:
        _mode(canvas, mode, pieces)
    return canvas.svg(title)


def _mode(canvas: _Canvas, mode: BanMode, pieces: list[bytes]) -> None:
    how = "Ban by token" if mode.mode == "token" else "Ban by string"
    masks = f"{count(mode.mask.allowed)} allowed, {count(mode.mask.banned)} masked"
    canvas.text(_MARGIN, f"{how}: {'does not compile' if mode.error else masks}", bold=True)
    canvas.y += _ROW
    for ban in mode.bans:
        for label, boxes, remark, fill in _strips(ban, mode, pieces):
            canvas.text(_MARGIN + 12, label)
            x: float = _MARGIN + 110
            for text, note, paint in boxes:
                width = max(_box_width(text), len(note) * 5.4 + 12)
                canvas.box(x, width, paint, text, note)
                x += width + 4
            canvas.text(x + 8, remark, fill=fill)
            canvas.y += _ROW + 12
    canvas.y += 6


_Strip = tuple[str, list[tuple[str, str, str]], str, str]


def _strips(ban: BannedString, mode: BanMode, pieces: list[bytes]) -> Iterator[_Strip]:
    """Label, boxes (text, note, colour), remark and its colour."""
    own = [(_inside(pieces[i]), str(i), REFUSED) for i in ban.token_ids]
    if mode.error:
        yield "token", own, "is not one token: the tag does not compile", REFUSED
    elif ban.single_token:
        yield "token", own, "masked", "#1a1a1a"
    leak = ban.leak
    if not leak.leaks:
        data = ban.string.encode()
        head = data[: leak.stops_at].decode("utf-8", "ignore")
        boxes = [(head, "may be written", _OPEN), (ban.string[len(head) :], "never", REFUSED)]
        yield "spelling", boxes, "no spelling gets further", "#1a1a1a"
        return
    boxes = [(_inside(pieces[i]), str(i), _OPEN) for i in leak.witness]
    yield "witness", boxes, f"allowed: {count(leak.spellings)} such spellings", REFUSED
    if ban.parsed_calls:
        text = shorten(_clean(ban.call_text.replace("\n", "\u21b5")), 84)
        yield "is read as", [(text, "a tool call", FORCED)], "", "#1a1a1a"


def _inside(data: bytes) -> str:
    return piece(data)[1:-1]
