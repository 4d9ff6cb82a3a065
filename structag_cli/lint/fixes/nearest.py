"""The one known name that a misspelt one can mean."""

from __future__ import annotations

from collections.abc import Iterable

_MOST = 2
_APART = 3


def sole(name: str, known: Iterable[str]) -> str | None:
    """The known name that is meant, if no other comes near.

    It is the one that differs in case and separators alone; or else the one at most two
    slips away (a third of the name), with all others at least three slips farther.
    """
    names = list(known)
    same = [each for each in names if _bare(each) == _bare(name)]
    if same:
        return same[0] if len(same) == 1 else None
    ranked = sorted((slips(name, each), each) for each in names)
    if not ranked:
        return None
    best, found = ranked[0]
    if best > min(_MOST, len(name) // 3):
        return None
    return found if len(ranked) == 1 or ranked[1][0] >= best + _APART else None


def same_but_for_case(name: str, known: Iterable[str]) -> str | None:
    """The one known name that differs in case and separators alone."""
    found = [each for each in known if _bare(each) == _bare(name)]
    return found[0] if len(found) == 1 else None


def _bare(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


def slips(one: str, other: str) -> int:
    """How many letters must change, come, go or swap with the next one."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        above = row
        row = [i]
        for j, right in enumerate(other, 1):
            least = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                least = min(least, before[j - 2] + 1)
            row.append(least)
        before = above
    return row[-1]
