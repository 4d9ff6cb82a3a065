"""Whole outputs that a tag accepts, made without any engine.

The tag's nodes are walked and each gives a few texts; JSON Schemas give a full and a
minimal instance. Where something cannot be made for certain, there are fewer examples
and a note says why: an example is never a guess.

No library does this: the generators of random instances (hypothesis-jsonschema, jsf,
polyfactory) aim at JSON Schema and not at what xgrammar makes of it (closed objects,
declared order, anchored patterns), and import hypothesis, faker or pydantic for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from structag_cli.emit.anatomy import root_node
from structag_cli.emit.examples.nodes import Walker
from structag_cli.emit.examples.trouble import NoExample

__all__ = ["ExampleOutputs", "example_outputs", "examples"]


@dataclass(frozen=True, slots=True)
class ExampleOutputs:
    """Accepted outputs, and notes on what could not be shown."""

    texts: tuple[str, ...]
    notes: tuple[str, ...] = ()


def examples(tag_json: Mapping[str, Any] | None, count: int = 3) -> list[str]:
    """At most ``count`` different outputs that the tag accepts."""
    return list(example_outputs(tag_json, count).texts)


def example_outputs(tag_json: Mapping[str, Any] | None, count: int = 3) -> ExampleOutputs:
    """At most ``count`` different outputs that the tag accepts, with notes."""
    if tag_json is None or count < 1:
        return ExampleOutputs(())
    walker = Walker(count)
    try:
        texts = walker.texts(root_node(tag_json)[0])
    except NoExample as err:
        return ExampleOutputs((), (*walker.notes, f"no example: {err}"))
    except RecursionError:
        return ExampleOutputs((), ("no example: the tag is nested too deeply",))
    return ExampleOutputs(tuple(texts[:count]), tuple(walker.notes))
