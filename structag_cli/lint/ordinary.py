"""Does a text occur in ordinary prose, code or JSON?"""

from __future__ import annotations

import re

_SAMPLES = (
    "functional programming, a function of two variables, the call of duty, a tool, tools",
    '{"name": "Ann", "type": "object", "arguments": [1, 2]}',
    "def call(name): return {'name': name}  # arguments\n#include <functional>\n",
    'if (a < b && c > d) { x[0] = f(y); }\n<html><body><div class="a"></div></body></html>',
    "```python\nprint('hi')\n```\n- item\n1. first\n\n| a | b |\n",
    "The parameter is invoked; an action, a thought, an answer, the final response.",
)


def ordinary(text: str) -> str:
    """A piece of ordinary text that holds ``text``; empty where none is known."""
    if not text:
        return ""
    for sample in _SAMPLES:
        at = sample.find(text)
        if at >= 0:
            return _piece(sample, at, len(text))
    return f"x{text}y" if re.fullmatch(r"[=:,.(\s-]?[A-Za-z]{1,12}", text) else ""


def _piece(sample: str, at: int, length: int) -> str:
    end = _word_end(sample, at + length)
    start = at
    while start > 0 and sample[start - 1].isalnum() and at - start < 20:
        start -= 1
    return sample[start:end]


def _word_end(sample: str, start: int) -> int:
    """The end of the word in which a piece ends, or of the next one."""
    found = re.compile(r"\w+|\W{0,4}\w+|\W").match(sample, start)
    return start if found is None else min(found.end(), start + 40)
