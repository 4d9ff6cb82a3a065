"""Scalar nodes are alike in every tool: what a node's grammar gets wrong is found once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from structag_cli.errors import EngineError
from structag_cli.lint.deep.candidates import Candidate, candidates
from structag_cli.lint.deep.judge import Judge
from structag_cli.lint.deep.make import Maker
from structag_cli.lint.deep.matching import Matching

_SCALARS = {"string", "integer", "number", "boolean", "null"}
_SILENT = {"description", "title", "default", "examples", "example", "deprecated", "$comment"}
_CONSTRAINTS = {
    *("type", "enum", "const", "minLength", "maxLength", "pattern", "format", "minimum"),
    *("maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "nullable"),
}


def leaf_candidates(
    schema: Mapping[str, Any], style: str, outermost: bool, draft: Any
) -> list[Candidate] | None:
    """What to try at a scalar node; ``None`` where the node is none.

    A node with no fault is tried with two values, one with faults with those, too. ``draft``
    is the validator class of the whole schema, which is sound by it.
    """
    plain = {key: value for key, value in schema.items() if key not in _SILENT}
    kinds = plain.get("type")
    listed = kinds if isinstance(kinds, list) else [kinds]
    if not set(plain) <= _CONSTRAINTS or not all(isinstance(k, str) for k in listed):
        return None
    if not set(listed) <= _SCALARS:
        return None
    return _profile(json.dumps(plain, sort_keys=True), style, outermost or style == "json", draft)


@lru_cache(maxsize=4096)
def _profile(text: str, style: str, outermost: bool, draft: Any) -> list[Candidate] | None:
    leaf = json.loads(text)
    inner = leaf if outermost else {"type": "array", "items": leaf, "minItems": 1}
    schema = {"type": "object", "properties": {"v": inner}, "required": ["v"]}
    judge = Judge(schema, draft)
    try:
        matching = Matching(schema, style)
    except (EngineError, RuntimeError):
        return None
    maker = Maker(schema, judge)
    wrong: list[Candidate] = []
    right: list[Candidate] = []
    for value, stress in candidates(leaf, maker, 0):
        said = matching.text_of({"v": value if outermost else [value]})
        if said is None:
            continue
        valid = judge.allows(said[1])
        accepted = matching.accepts(said[0])
        if valid != accepted or (valid and accepted and not judge.formats_hold(said[1])):
            wrong.append((value, stress))
        elif len(right) < 2 or stress in ("non-ASCII letter",):
            right.append((value, stress))
    return right + wrong
