"""A picture with its report as one HTML page, which needs nothing else."""

from __future__ import annotations

from html import escape

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;"
    "color:#1a1a1a;background:#fff}pre{overflow:auto;background:#f6f6f6;padding:1rem}"
    "svg{max-width:100%;height:auto}"
)


def page(title: str, pictures: list[str], text: str) -> str:
    """A whole page.

    Args:
        title: its title, plain text.
        pictures: SVG documents, put in as they are.
        text: the report, plain text.
    """
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n"
        f"<h1>{escape(title)}</h1>\n" + "\n".join(pictures) + f"\n<pre>{escape(text)}</pre>\n"
        "</html>\n"
    )
