"""The grammar file: one wire format, declared as data.

These structs are the file format. ``msgspec`` reads them strictly (an unknown or
misspelt field is an error) and derives the published JSON Schema from them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

NAME_PLACEHOLDER = "{name}"
"""Stands for the tool's name in ``begin`` and ``end``, as in Dynamo's templates."""

Engine = Literal["dynamo", "vllm", "sglang", "trtllm", "xgrammar", "smg"]

Style = Literal[
    "json",
    "qwen_xml",
    "minimax_xml",
    "minimax_m3_xml",
    "deepseek_xml",
    "deepseek_v4_1_xml",
    "glm_xml",
    "cohere_xml",
    "kimi_k3_xml",
    "gemma",
]
"""Argument styles of xgrammar 0.2.9 (``json_schema.style``)."""

Choice = Literal["auto", "required"]


class _Base(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Settings that every part of a grammar file shares."""


class RegexPart(_Base, frozen=True):
    """A piece of a call that the model fills in by a regular expression."""

    regex: Annotated[str, Meta(description="Regular expression, matched in full.")]
    example: Annotated[str, Meta(description="Text that it matches, used when rendering calls.")]


Part = str | RegexPart
Parts = str | tuple[Part, ...]


class Call(_Base, frozen=True):
    """One way to write a call: begin, arguments, end."""

    begin: Annotated[
        Parts,
        Meta(
            description="What stands before the arguments: a text, or a list of texts and "
            "regular expressions that starts with a text. `{name}` is the tool's name."
        ),
    ]
    style: Annotated[Style, Meta(description="How the arguments are written.")]
    end: Annotated[
        Parts,
        Meta(
            description="What stands after the arguments: a text, or a list of texts and "
            "regular expressions that ends with a text. `{name}` is the tool's name."
        ),
    ]
    or_end: Annotated[
        tuple[str, ...],
        Meta(description="Other ends that are as good, for markers that an engine eats."),
    ] = ()


class Block(_Base, frozen=True):
    """A wrapper around all calls of one turn."""

    begin: Annotated[str, Meta(min_length=1, description="Opens the block.")]
    end: Annotated[str, Meta(min_length=1, description="Closes the block.")]


class Ban(_Base, frozen=True):
    """What `tool_choice: none` forbids."""

    tokens: Annotated[
        tuple[str, ...],
        Meta(description="Texts of single tokens that the exclusion tag bans by token id."),
    ] = ()
    strings: Annotated[
        tuple[str, ...],
        Meta(description="Strings to ban however they are spelled (`any_text` with `excludes`)."),
    ] = ()


class Reasoning(_Base, frozen=True):
    """How a thinking model leaves its reasoning."""

    end: Annotated[str, Meta(min_length=1, description="The text that closes the reasoning.")]
    after: Annotated[
        str, Meta(description="What the model's template writes between that and the calls.")
    ] = ""


class ProfileSupport(_Base, frozen=True):
    """What one engine release does with this format."""

    names: Annotated[
        tuple[str, ...],
        Meta(
            description="Parser names for which the release sends a structural tag; each is "
            "also among the engine's `names`."
        ),
    ]


class ExampleTool(_Base, frozen=True):
    """A tool of the examples."""

    name: Annotated[str, Meta(min_length=1, description="The tool's name.")]
    parameters: Annotated[
        dict[str, Any] | None,
        Meta(description="JSON Schema of the arguments; without it any arguments are accepted."),
    ] = None
    strict: Annotated[bool | None, Meta(description="As in an OpenAI tool.")] = None


class ExampleCall(_Base, frozen=True):
    """A call that a text holds."""

    name: Annotated[str, Meta(description="The tool's name, one of the example tools.")]
    arguments: Annotated[dict[str, Any], Meta(description="The arguments, as JSON values.")]


class TextExample(_Base, frozen=True):
    """A whole model output that the tag accepts, or refuses."""

    text: Annotated[str, Meta(description="The whole output of the model.")]
    choice: Annotated[
        Choice, Meta(description="The `tool_choice` of the request that the tag is built for.")
    ] = "required"
    parallel: Annotated[bool, Meta(description="The `parallel_tool_calls` of that request.")] = True
    note: Annotated[str, Meta(description="What the example shows, in a few words.")] = ""


class ParseExample(_Base, frozen=True):
    """A model output and the calls that a parser reads from it."""

    text: Annotated[str, Meta(description="The whole output of the model.")]
    calls: Annotated[
        tuple[ExampleCall, ...], Meta(description="The calls in it, in order; may be empty.")
    ]
    content: Annotated[
        str, Meta(description="The text outside the calls, without the white space around it.")
    ] = ""
    note: Annotated[str, Meta(description="What the example shows, in a few words.")] = ""


class Examples(_Base, frozen=True):
    """Examples that must hold; the tests run them on xgrammar."""

    tools: Annotated[
        tuple[ExampleTool, ...],
        Meta(description="The tools of every example; each gets its schema, as if strict."),
    ]
    accept: Annotated[tuple[TextExample, ...], Meta(description="Outputs that the tag accepts.")]
    reject: Annotated[tuple[TextExample, ...], Meta(description="Outputs that the tag refuses.")]
    parse: Annotated[
        tuple[ParseExample, ...],
        Meta(description="Outputs and the calls in them; the tag for `auto` accepts them too."),
    ]


class Disagreement(_Base, frozen=True):
    """Text that the model's own template writes and an engine's tag refuses."""

    what: Annotated[str, Meta(description="What differs, one line.")]
    profiles: Annotated[
        tuple[str, ...], Meta(description="Profiles whose tag refuses it, `dynamo-1.3` say.")
    ]
    tools: Annotated[tuple[ExampleTool, ...], Meta(description="The tools of the example.")]
    text: Annotated[str, Meta(description="The template's text, refused by the tag.")]
    accepted: Annotated[str, Meta(description="The nearest text that the tag accepts.")]
    source: Annotated[str, Meta(description="Where both were seen.")]
    choice: Annotated[
        Choice, Meta(description="The `tool_choice` of the request that the tag is built for.")
    ] = "required"


class Fact(_Base, frozen=True):
    """One fact and where it was seen."""

    fact: Annotated[str, Meta(description="One sentence.")]
    source: Annotated[
        str, Meta(min_length=1, description="Release, file, or how it was found out.")
    ]


class Grammar(_Base, frozen=True):
    """One wire format: names, syntax, bans, facts and examples."""

    format: Annotated[str, Meta(pattern="^[a-z0-9_]+$", description="The format's own id.")]
    title: Annotated[str, Meta(description="Models and shape, one line.")]
    names: Annotated[
        dict[Engine, tuple[str, ...]],
        Meta(description="Parser names by engine; the first of an engine is its main name."),
    ]
    calls: Annotated[
        tuple[Call, ...],
        Meta(
            min_length=1, description="Ways to write a call. The first is how calls are rendered."
        ),
    ]
    triggers: Annotated[
        tuple[str, ...],
        Meta(description="Texts after which the output must be a call; empty where none is safe."),
    ]
    profiles: Annotated[
        dict[str, ProfileSupport],
        Meta(description="Engine releases that send a tag for this format, by profile name."),
    ]
    facts: Annotated[
        tuple[Fact, ...],
        Meta(description="What is known of the format, each fact with its source."),
    ]
    examples: Annotated[
        Examples, Meta(description="Outputs that the tag must accept and refuse, and their calls.")
    ]
    block: Annotated[
        Block | None, Meta(description="The wrapper around all calls of a turn, if there is one.")
    ] = None
    separator: Annotated[
        str,
        Meta(description="Between two calls: what the template writes, and in a block the tag."),
    ] = ""
    lead: Annotated[
        str, Meta(description="What the template writes before the first call or the block.")
    ] = ""
    excludes: Annotated[
        tuple[str, ...], Meta(description="Strings that free text may not hold.")
    ] = ()
    ban: Annotated[Ban, Meta(description="What `tool_choice: none` forbids.")] = Ban()
    reasoning: Annotated[
        Reasoning | None, Meta(description="How the model leaves its reasoning, if it reasons.")
    ] = None
    disagreements: Annotated[
        tuple[Disagreement, ...],
        Meta(description="Texts that templates write and the engine's tag refuses."),
    ] = ()
    prompt: Annotated[
        str,
        Meta(
            description="System prompt for models whose chat template has no tools; "
            "`{tools}` is the tool list as JSON lines."
        ),
    ] = ""

    def engine_names(self) -> tuple[str, ...]:
        """Every parser name of every engine, each once, in file order."""
        return tuple(dict.fromkeys(n for names in self.names.values() for n in names))
