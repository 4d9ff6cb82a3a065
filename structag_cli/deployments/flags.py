"""The flags that decide about structural tags: facts of the engines' releases, as data.

Sources, read in October 2026:

- Dynamo: ``DynamoRuntimeArgGroup`` (``components/src/dynamo/common/configuration/groups/
  runtime_args.py``) and ``FrontendArgGroup`` of ai-dynamo/dynamo; ``env_or_default`` and
  ``add_negatable_bool_argument`` (``.../configuration/utils.py``): flags beat the environment,
  booleans are ``argparse.BooleanOptionalAction`` and take no value, an environment boolean is
  true for ``true``, ``1``, ``yes`` and ``on`` and false for everything else.
- Dynamo's pages "Structural Tag", "Runtime Configuration", "Chat Processors" and "Reasoning
  Parsing" for 1.3 to 1.6: which component carries a flag, its default, what falls back.
- SGLang ``server_args.py`` (``--grammar-backend``), vLLM ``--structured-outputs-config`` and
  TensorRT-LLM ``--guided-decoding-backend``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Kind = Literal["text", "switch", "choice", "tool-parser", "reasoning-parser", "tag", "json"]
"""How a flag's value is read. ``switch``: ``--x`` and ``--no-x``, no value. ``tag``: nothing,
a boolean or a JSON object."""

Home = Literal["worker", "frontend", "both", "engine"]
"""Which process reads the flag. ``engine``: the engine's own server, or the worker around it."""

PARSER = "--dyn-tool-call-parser"
REASONING = "--dyn-reasoning-parser"
ENABLE = "--dyn-enable-structural-tag"
SCOPE = "--dyn-structural-tag-scope"
SCHEMA = "--dyn-structural-tag-schema"
TAG = "--dyn-structural-tag"
EXCLUDE = "--exclude-tools-when-tool-choice-none"
PROCESSOR = "--dyn-chat-processor"
ENGINE_PARSER = "--tool-call-parser"
ENGINE_REASONING = "--reasoning-parser"
GRAMMAR_BACKEND = "--grammar-backend"
VLLM_OUTPUTS = "--structured-outputs-config"
VLLM_BACKEND = "--structured-outputs-config.backend"
GUIDED_BACKEND = "--guided-decoding-backend"
AUTO_TOOL_CHOICE = "--enable-auto-tool-choice"
MODE = "--disaggregation-mode"

LEGACY = (ENABLE, SCOPE, SCHEMA)
"""The flags of 1.3 to 1.5; 1.6 hides them, warns, and refuses them beside ``TAG``."""


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag.

    ``env`` is the variable that stands for it where it is absent. ``since`` and
    ``deprecated`` are Dynamo releases (``(1, 6)``).
    """

    name: str
    kind: Kind = "text"
    home: Home = "worker"
    env: str = ""
    choices: tuple[str, ...] = ()
    since: tuple[int, int] | None = None
    deprecated: tuple[int, int] | None = None

    @property
    def negated(self) -> str:
        """The form of a switch that turns it off."""
        return f"--no-{self.name[2:]}"

    @property
    def spellings(self) -> tuple[str, ...]:
        """The forms that a command line may have."""
        return (self.name, self.negated) if self.kind == "switch" else (self.name,)


_ALL = (
    Flag(PARSER, "tool-parser", env="DYN_TOOL_CALL_PARSER"),
    Flag(REASONING, "reasoning-parser", env="DYN_REASONING_PARSER"),
    Flag(ENABLE, "switch", env="DYN_ENABLE_STRUCTURAL_TAG", since=(1, 3), deprecated=(1, 6)),
    Flag(
        SCOPE,
        "choice",
        env="DYN_STRUCTURAL_TAG_SCOPE",
        choices=("auto", "always"),
        since=(1, 3),
        deprecated=(1, 6),
    ),
    Flag(
        SCHEMA,
        "choice",
        env="DYN_STRUCTURAL_TAG_SCHEMA",
        choices=("auto", "strict"),
        since=(1, 3),
        deprecated=(1, 6),
    ),
    Flag(TAG, "tag", env="DYN_STRUCTURAL_TAG", since=(1, 6)),
    Flag(EXCLUDE, "switch", "both", env="DYN_EXCLUDE_TOOLS_WHEN_TOOL_CHOICE_NONE"),
    Flag(
        PROCESSOR,
        "choice",
        "frontend",
        env="DYN_CHAT_PROCESSOR",
        choices=("dynamo", "vllm", "sglang"),
    ),
    Flag("--custom-jinja-template", env="DYN_CUSTOM_JINJA_TEMPLATE"),
    Flag(ENGINE_PARSER, home="engine"),
    Flag(ENGINE_REASONING, home="engine"),
    Flag(
        GRAMMAR_BACKEND, "choice", "engine", choices=("xgrammar", "outlines", "llguidance", "none")
    ),
    Flag(VLLM_OUTPUTS, "json", "engine"),
    Flag(VLLM_BACKEND, home="engine"),
    Flag(GUIDED_BACKEND, home="engine"),
    Flag("--tool-strict-level", home="engine"),
    Flag(MODE, home="engine"),
    Flag("--model-path", home="engine"),
    Flag("--model", home="engine"),
    Flag("--served-model-name", home="engine"),
)

FLAGS: Mapping[str, Flag] = MappingProxyType({flag.name: flag for flag in _ALL})
SPELLINGS: Mapping[str, Flag] = MappingProxyType(
    {spelling: flag for flag in _ALL for spelling in flag.spellings}
)
VARIABLES: Mapping[str, Flag] = MappingProxyType({flag.env: flag for flag in _ALL if flag.env})

BARE = (AUTO_TOOL_CHOICE, "--is-prefill-worker", "--is-decode-worker")
"""Flags that take no value and have no ``--no-`` form."""

OTHERS = (
    "--dyn-default-thinking-mode",
    "--dyn-endpoint-types",
    "--dyn-encoder-worker",
    "--dyn-preprocess-workers",
    "--dyn-debug-perf",
    "--enable-streaming-tool-dispatch",
    "--override-auto-tool-choice-to-required",
    "--tool-server",
    "--reasoning-config",
    "--model-name",
    "--model-type",
    "--model-impl",
    "--model-express-url",
    "--grammar-file",
)
"""Real flags of the engines whose names come near to one of ours."""

TAG_FIELDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "scope": ("auto", "always"),
        "schema": ("auto", "strict"),
        "allow_tool_calls_with_structured_output": ("true", "false"),
        "exclude_special_tokens": ("true", "false", "null"),
        "reasoning_boundary": ("auto", "structural_tag", "backend"),
        "tool_arguments_any_order": ("true", "false"),
    }
)
"""Fields of ``--dyn-structural-tag``'s JSON object (``StructuralTagConfig``, Dynamo 1.6)."""

TRUE_WORDS = ("true", "1", "yes", "on")
FALSE_WORDS = ("false", "0", "no", "off")

REASONING_PARSERS = (
    "basic",
    "deepseek-v4",
    "deepseek_r1",
    "deepseek_v3",
    "deepseek_v3_1",
    "deepseek_v3_2",
    "deepseek_v4",
    "deepseek_v41",
    "deepseekv4",
    "gemma-4",
    "gemma4",
    "glm45",
    "gpt_oss",
    "granite",
    "inkling",
    "kimi",
    "kimi-k3",
    "kimi_k25",
    "kimi_k3",
    "minimax-m3",
    "minimax_append_think",
    "minimax_m2",
    "minimax_m3",
    "mistral",
    "muse",
    "muse_glimmer",
    "nemotron3",
    "nemotron_deci",
    "nemotron_nano",
    "nemotron_v3",
    "qwen3",
    "step3",
)
"""``get_reasoning_parser_map`` of Dynamo's parser crate and the names of its unified parsers,
newest reading; older releases have fewer."""
