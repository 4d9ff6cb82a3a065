"""Are these the calls that were expected?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from structag_cli.generate.suite.cases import ExpectedCall
from structag_cli.reader.verdicts import CallVerdict


def right_tools(calls: Iterable[CallVerdict], expected: Iterable[ExpectedCall]) -> bool:
    """Whether the same tools are called, each as often; in any order."""
    return Counter(c.name for c in calls) == Counter(e.name for e in expected)


def right_arguments(calls: Iterable[CallVerdict], expected: Iterable[ExpectedCall]) -> bool:
    """Whether the same calls are made, arguments and all; in any order.

    Arguments are equal as JSON values are: ``1`` is ``1.0``, order of keys is nothing.
    """
    return Counter((c.name, canonical(c.arguments)) for c in calls) == Counter(
        (e.name, canonical(dict(e.arguments))) for e in expected
    )


def canonical(value: Any) -> str:
    """A text that is the same for equal JSON values."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return int(value) if whole else value
