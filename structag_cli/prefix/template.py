"""Chat templates: found beside a tokenizer, rendered as servers render them.

The environment is the one that ``transformers`` and Dynamo give templates (sandboxed Jinja,
``trim_blocks``, ``lstrip_blocks``, ``tojson`` that writes plain JSON, ``raise_exception``),
without importing ``transformers``, which takes seconds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from structag_cli.errors import InputError
from structag_cli.place import Place
from structag_cli.prefix.limits import OverLimit, limited
from structag_cli.prefix.messages import template_messages

DATE = datetime(2026, 1, 1)
"""What templates that ask for the date get: the same figures on every day."""

_FILES = ("chat_template.jinja", "tokenizer_config.json", "chat_template.json")
_TOKENIZER_FILES = (".json", ".model", ".tiktoken")
"""A template is looked for beside these; any other file is one itself."""

_GGUF_TOKENS = {"bos": "bos", "eos": "eos", "unknown": "unk", "padding": "pad"}
_MAX_BYTES = 16 * 1024 * 1024
_MAX_EXPONENT = 4096
_MAX_TEXT = 64 * 1024 * 1024


class NoTemplate(InputError):
    """There is no chat template where one was looked for."""


class EndlessTemplate(InputError):
    """A template that runs or grows without end."""


_endless: dict[str, OverLimit] = {}
"""Templates that were stopped, by their text."""


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """A model's chat template.

    ``with_tools`` is the one for requests with tools, where the model has two. ``tokens``
    are texts that templates use by name (``bos_token``).
    """

    file: str
    default: str
    with_tools: str | None = None
    tokens: Mapping[str, str] = field(default_factory=dict)

    @property
    def knows_tools(self) -> bool:
        """Whether it writes tools at all."""
        return self.with_tools is not None or "tools" in self.default

    def check(self) -> None:
        """Read the template without rendering anything.

        Raises:
            InputError: it is broken; the place is the line.
        """
        import jinja2

        for source in (self.default, self.with_tools or ""):
            try:
                with limited():
                    _compiled(source)
            except OverLimit as err:
                raise self._endless(source, err) from None
            except jinja2.TemplateSyntaxError as err:
                one_file = self.file.endswith((".jinja", ".j2", ".txt"))
                place = Place(self.file, line=err.lineno if one_file else None)
                raise InputError(
                    f"the chat template is broken: {err.message}", place=place
                ) from None

    def render(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Any] | None,
        *,
        generation: bool = True,
        arguments: Mapping[str, Any] | None = None,
    ) -> str:
        """The prompt.

        Args:
            messages: the conversation.
            tools: tools in OpenAI's chat form; none and an empty list are the same.
            generation: end with the start of the answer.
            arguments: what the request gives the template (``chat_template_kwargs``).

        Raises:
            EndlessTemplate: the template runs or grows without end.
            InputError: the template refuses the messages, or is broken.
        """
        source = self.with_tools if tools and self.with_tools else self.default
        values = {
            "messages": template_messages(messages),
            "tools": list(tools) if tools else None,
            "add_generation_prompt": generation,
            **self.tokens,
            **(arguments or {}),
        }
        if source in _endless:
            raise self._endless(source, _endless[source])
        try:
            with limited():
                return _written(source, values)
        except OverLimit as err:
            raise self._endless(source, err) from None
        except Exception as err:  # templates raise what they like
            first = str(err).strip().split("\n")[0] or type(err).__name__
            raise InputError(f"the chat template fails: {first}", place=Place(self.file)) from None

    def _endless(self, source: str, why: OverLimit) -> EndlessTemplate:
        """The error, which is kept: another rendering would take as long again."""
        _endless[source] = why
        return EndlessTemplate(f"the chat template has no end: {why}", place=Place(self.file))


def _written(source: str, values: Mapping[str, Any]) -> str:
    """What a template writes."""
    parts: list[str] = []
    size = 0
    for part in _compiled(source).generate(values):
        parts.append(part)
        size += len(part)
        if size > _MAX_TEXT:
            raise OverLimit("it writes more than 64 MiB")
    return "".join(parts)


def find_template(path: str) -> ChatTemplate:
    """The chat template of a model's folder, or in a file.

    Args:
        path: a folder, a GGUF file, a file of a tokenizer with the template beside it, or
            a file that is the template.

    Raises:
        NoTemplate: there is none.
        InputError: the file is broken.
    """
    where = Path(path).expanduser()
    if where.suffix == ".gguf":
        return _of_gguf(where)
    if where.is_file() and where.name not in _FILES and where.suffix not in _TOKENIZER_FILES:
        return ChatTemplate(str(where), _read(where), tokens={"bos_token": "", "eos_token": ""})
    folder = where if where.is_dir() else where.parent
    config = _config(folder / "tokenizer_config.json")
    tokens = {key: text for key in config if (text := _token(key, config[key])) is not None}
    for name in _FILES:
        file = folder / name
        if not file.is_file():
            continue
        value = _read(file) if name.endswith(".jinja") else _config(file).get("chat_template")
        if isinstance(value, str):
            return ChatTemplate(str(file), value, tokens=tokens)
        if isinstance(value, list):
            return _named(file, value, tokens)
    raise NoTemplate(
        "no chat template here",
        place=Place(path),
        mend="a folder with chat_template.jinja or tokenizer_config.json, or --template FILE",
    )


def _named(file: Path, value: list[Any], tokens: Mapping[str, str]) -> ChatTemplate:
    """The older form: a list of templates by name."""
    found = {
        item["name"]: item["template"]
        for item in value
        if isinstance(item, dict)
        and isinstance(item.get("name"), str)
        and isinstance(item.get("template"), str)
    }
    if not found:
        raise InputError("chat_template holds no template", place=Place(str(file)))
    default = found.get("default", next(iter(found.values())))
    return ChatTemplate(str(file), default, found.get("tool_use"), tokens)


def _of_gguf(path: Path) -> ChatTemplate:
    from structag_cli.tokenizers.gguf_file import read_metadata

    data = read_metadata(path)
    found = data.get("tokenizer.chat_template")
    if not isinstance(found, str):
        raise NoTemplate("no chat template in it", place=Place(str(path)))
    pieces = data.get("tokenizer.ggml.tokens")
    tokens = {}
    for kind, name in _GGUF_TOKENS.items():
        at = data.get(f"tokenizer.ggml.{kind}_token_id")
        if isinstance(pieces, list) and isinstance(at, int) and at < len(pieces):
            tokens[f"{name}_token"] = str(pieces[at])
    return ChatTemplate(str(path), found, tokens=tokens)


def _token(key: str, value: Any) -> str | None:
    if not key.endswith("_token"):
        return None
    if isinstance(value, dict):
        value = value.get("content")
    return value if isinstance(value, str) else None


def _read(path: Path) -> str:
    from structag_cli.sources import read_text

    return read_text(str(path), _MAX_BYTES)


def _config(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    from structag_cli.sources import read_document

    value = read_document(str(path), kind="json", max_bytes=_MAX_BYTES).value
    return value if isinstance(value, dict) else {}


@lru_cache(maxsize=8)
def _compiled(source: str) -> Any:
    return _environment().from_string(source)


def _environment() -> Any:
    """The sandbox that templates run in."""
    import jinja2.ext
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Bounded(ImmutableSandboxedEnvironment):
        """A power of large numbers is one native call, which no time limit can end."""

        intercepted_binops = frozenset(("**",))

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            """The value of an operation."""
            if isinstance(right, int) and abs(right) > _MAX_EXPONENT:
                raise OverLimit(f"the exponent {right:.3g} is out of reach")
            return super().call_binop(context, operator, left, right)

    environment = Bounded(
        trim_blocks=True, lstrip_blocks=True, extensions=[jinja2.ext.loopcontrols, _generation()]
    )
    environment.filters["tojson"] = _tojson
    environment.globals["raise_exception"] = _raise
    environment.globals["strftime_now"] = DATE.strftime
    return environment


def _tojson(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    return json.dumps(
        value,
        ensure_ascii=ensure_ascii,
        indent=indent,
        separators=separators,
        sort_keys=sort_keys,
    )


def _raise(message: str) -> None:
    raise ValueError(message)


def _generation() -> Any:
    """``{% generation %}`` blocks mark answers for training; here they are their content."""
    from jinja2 import nodes
    from jinja2.ext import Extension

    class Generation(Extension):
        """The block tag."""

        tags = {"generation"}  # noqa: RUF012

        def parse(self, parser: Any) -> Any:
            """The block as a scope of its own."""
            line = next(parser.stream).lineno
            body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
            return nodes.Scope(body).set_lineno(line)

    return Generation
