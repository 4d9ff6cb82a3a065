"""``structag prefix``: what taking the tools out of the prompt on none costs."""

from __future__ import annotations

import json
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from structag_cli.errors import InputError, UsageError

if TYPE_CHECKING:
    from structag_cli.prefix.compare import Renderer, Turn
    from structag_cli.request import ChoiceMode


class PrefixFormat(str, Enum):
    """How the report is printed."""

    text = "text"
    json = "json"


def prefix(
    tokenizer: Annotated[
        str,
        typer.Option("--tokenizer", "-T", help="A folder with the tokenizer and its template."),
    ],
    request: Annotated[
        str,
        typer.Option(
            "--request",
            "-r",
            help="A request with tools and messages, a list of them or JSONL: one a turn; "
            "- for stdin.",
        ),
    ],
    template: Annotated[
        str | None,
        typer.Option("--template", help="Take the chat template from here: a file or folder."),
    ] = None,
    choices: Annotated[
        str | None,
        typer.Option(
            "--choices", help="Tool choice turn by turn: auto,none,auto. [default: as requested]"
        ),
    ] = None,
    template_args: Annotated[
        str | None,
        typer.Option("--template-args", help='chat_template_kwargs: {"enable_thinking": false}.'),
    ] = None,
    block_size: Annotated[
        int, typer.Option("--block-size", min=1, help="Tokens in a block of the KV cache.")
    ] = 1,
    format: Annotated[
        PrefixFormat, typer.Option("--format", "-f", help="text for people, json for scripts.")
    ] = PrefixFormat.text,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write to this file instead of stdout.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the result.")] = False,
) -> None:
    """Compare prompts over tool choices: tokens, common prefix, what a KV cache can serve.

    Renders the model's chat template for each tool choice, with and without
    exclude-tools-when-tool-choice-none, and over the turns of a conversation.
    """
    from structag_cli.commands.output import write
    from structag_cli.prefix.report import text, to_json

    turns = _turns(request, choices)
    renderer = _renderer(tokenizer, template, template_args, block_size, quiet)
    if format is PrefixFormat.json:
        write(json.dumps(to_json(renderer, turns), ensure_ascii=False, indent=2), output)
    else:
        write(text(renderer, turns), output)


def _renderer(
    tokenizer: str, template: str | None, arguments: str | None, block: int, quiet: bool
) -> Renderer:
    from structag_cli.commands.output import talk
    from structag_cli.prefix.compare import Renderer
    from structag_cli.prefix.template import find_template
    from structag_cli.tokenizers.cache import DiskCache, default_root
    from structag_cli.tokenizers.tokenizer import open_tokenizer

    given = _arguments(arguments)
    opened = open_tokenizer(
        tokenizer, cache=DiskCache(default_root()), say=lambda said: talk(said, quiet=quiet)
    )
    found = find_template(template or str(opened.source.file))
    if not found.knows_tools:
        talk(f"{found.file}: the template writes no tools, so they change no prompt", quiet=quiet)
    return Renderer(found, opened.encoder(), opened.text, given, block)


def _arguments(text: str | None) -> dict[str, Any]:
    if text is None:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as err:
        raise UsageError(f"--template-args is not valid JSON: {err}") from None
    if not isinstance(value, dict):
        raise UsageError("--template-args is no object", mend='{"enable_thinking": false}')
    return value


def _turns(path: str, choices: str | None) -> list[Turn]:
    from structag_cli.prefix.compare import Turn, turns_of

    found = _requests(path)
    asked = _choices(choices)
    if len(found) == 1:
        messages, tools, choice = found[0]
        turns = turns_of(messages, tools, asked or ["auto"])
        if not asked:
            turns[-1] = Turn(turns[-1].messages, turns[-1].tools, choice)
        return turns
    return [
        Turn(tuple(messages), tuple(tools), asked[at % len(asked)] if asked else choice)
        for at, (messages, tools, choice) in enumerate(found)
    ]


def _choices(text: str | None) -> list[ChoiceMode]:
    from structag_cli.prefix.compare import CHOICES

    given = [each.strip() for each in (text or "").split(",") if each.strip()]
    known = {str(choice): choice for choice in CHOICES}
    for each in given:
        if each not in known:
            raise UsageError(f"no tool choice {each!r}", mend=f"of {', '.join(known)}")
    return [known[each] for each in given]


def _requests(path: str) -> list[tuple[list[Any], list[Any], ChoiceMode]]:
    """Messages, tools and tool choice of every request in a file."""
    from structag_cli.dialects import tool_request_from_value
    from structag_cli.place import Place
    from structag_cli.sources import read_document

    document = read_document(path)
    many = isinstance(document.value, list)
    found = []
    for index, value in enumerate(document.value if many else [document.value]):
        pointer = f"/{index}" if many else ""
        place = document.locate(pointer)
        if not isinstance(value, dict):
            raise InputError("no request", place=place, mend="an object with messages and tools")
        request = tool_request_from_value(value, path, place=Place(path, pointer=pointer))
        if not request.messages:
            raise InputError(
                "a request without messages",
                place=place,
                mend='{"messages": [...], "tools": [...]}',
            )
        found.append((list(request.messages), _tools(value, request), request.choice.mode))
    if not found:
        raise InputError("no request in it", place=Place(path))
    return found


def _tools(value: dict[str, Any], request: Any) -> list[Any]:
    """The tools as they were written, where they are in OpenAI's chat form already."""
    if request.dialect == "openai-chat" and isinstance(value.get("tools"), list):
        return list(value["tools"])
    from structag_cli.generate.prompts import tool_json

    return [tool_json(tool) for tool in request.tools or ()]
