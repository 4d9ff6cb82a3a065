"""How large a regular expression is once its repetitions are written out.

The ``regex`` package does write them out: ``(((a{99}){99}){99}){99}`` takes it hours to
compile, and nothing stops it.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]?|\{(?P<times>\d+)(?:,\d*)?\}|(?P<other>.)", re.DOTALL
)


def written_out(pattern: str) -> int:
    """The number of its pieces, each as often as it must be repeated; about right."""
    open_groups = [0]
    last = 0
    """The size of the piece that a repetition would repeat."""
    for token in _TOKEN.finditer(pattern):
        if token["times"] is not None:
            times = int(token["times"][:9])
            open_groups[-1] += last * (times - 1) if times > 1 else 0
            last *= max(times, 1)
            continue
        if token["other"] == "(":
            open_groups.append(0)
            last = 0
            continue
        closes = token["other"] == ")" and len(open_groups) > 1
        last = max(open_groups.pop(), 1) if closes else 1
        open_groups[-1] += last
    return sum(open_groups)
