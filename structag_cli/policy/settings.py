"""A deployment's settings, as the worker's flags give them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Scope = Literal["auto", "always"]
SchemaMode = Literal["auto", "strict"]

SCOPES: tuple[Scope, ...] = ("auto", "always")
SCHEMA_MODES: tuple[SchemaMode, ...] = ("auto", "strict")
DEFAULT_PROFILE = "dynamo-1.3"


@dataclass(frozen=True, slots=True)
class Deployment:
    """The settings of the mission, by default those of a worker that switched tags on.

    ``parser`` is ``--dyn-tool-call-parser``; ``enabled`` is the master switch
    ``--dyn-enable-structural-tag`` (off by default in Dynamo, on here, since whoever
    asks for a tag wants to see one); ``scope``, ``schema`` and
    ``exclude_tools_on_none`` are the flags of like names, with Dynamo's defaults.
    ``starts_in_reasoning``: the prompt ends inside the model's reasoning.
    """

    parser: str | None
    enabled: bool = True
    scope: Scope = "auto"
    schema: SchemaMode = "auto"
    exclude_tools_on_none: bool = True
    starts_in_reasoning: bool = False
    profile: str = DEFAULT_PROFILE
