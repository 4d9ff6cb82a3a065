"""``structag generate``: a model under the tag, here or on a server, and what came of it."""

from __future__ import annotations

import math
import sys
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from structag_cli.commands.build import EngineName as FieldName
from structag_cli.commands.generate_local import LocalModel
from structag_cli.commands.generate_print import outputs_json, outputs_text
from structag_cli.commands.generate_served import ServedModel, refuse_local
from structag_cli.commands.generate_task import Task
from structag_cli.commands.options import RequestFlags, with_request_flags
from structag_cli.errors import ExitCode, InputError, UsageError
from structag_cli.place import Place

if TYPE_CHECKING:
    from structag_cli.commands.inputs import Inputs


class GenerateFormat(str, Enum):
    """How the outputs are printed."""

    text = "text"
    json = "json"


class EngineName(str, Enum):
    """Who decodes."""

    loop = "loop"
    hf = "hf"


class BanMode(str, Enum):
    """How ``tool_choice`` none is made to hold."""

    token = "token"
    string = "string"


class Compare(str, Enum):
    """What else to run."""

    free = "free"


class ReportName(str, Enum):
    """Reports of a suite."""

    text = "text"
    json = "json"
    markdown = "markdown"
    html = "html"


class Api(str, Enum):
    """How a server is asked."""

    chat = "chat"
    completions = "completions"
    tools = "tools"


@with_request_flags
def generate(
    flags: RequestFlags,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="A folder, a .gguf file, a cached hub id, smollm2, or random:TOKENIZER; with "
            "--endpoint the name that the server serves. [default: smollm2]",
        ),
    ] = None,
    prompt: Annotated[str | None, typer.Option("--prompt", help="The user's message.")] = None,
    messages: Annotated[
        str | None, typer.Option("--messages", help="A file with a list of chat messages.")
    ] = None,
    max_new_tokens: Annotated[
        int, typer.Option("--max-new-tokens", min=1, help="Most tokens of an output.")
    ] = 512,
    temperature: Annotated[
        float, typer.Option("--temperature", min=0.0, help="0 takes the likeliest token.")
    ] = 0.0,
    top_p: Annotated[
        float, typer.Option("--top-p", min=0.0, max=1.0, help="Nucleus sampling.")
    ] = 1.0,
    seed: Annotated[int, typer.Option("--seed", help="Of random choices.")] = 0,
    stop: Annotated[
        list[str] | None,
        typer.Option("--stop", help="End the output before this text; may be repeated."),
    ] = None,
    count: Annotated[int, typer.Option("--n", "-n", min=1, help="How many outputs.")] = 1,
    device: Annotated[
        str | None,
        typer.Option("--device", help="auto, cpu, cuda, cuda:N or mps. [default: auto]"),
    ] = None,
    dtype: Annotated[
        str | None,
        typer.Option("--dtype", help="auto, float32, bfloat16 or float16. [default: auto]"),
    ] = None,
    jump_forward: Annotated[
        bool | None,
        typer.Option(
            "--jump-forward/--no-jump-forward",
            help="Do not sample forced text. [default: jump-forward]",
        ),
    ] = None,
    draft: Annotated[
        int | None,
        typer.Option(
            "--draft", min=0, help="Tokens guessed ahead and verified in one pass. [default: 32]"
        ),
    ] = None,
    ban_mode: Annotated[
        BanMode,
        typer.Option(
            "--ban-mode", help="On tool choice none: ban tokens, as Dynamo does, or strings."
        ),
    ] = BanMode.token,
    engine: Annotated[
        EngineName | None,
        typer.Option(
            "--engine",
            help="hf: model.generate with xgrammar's logits processor. [default: loop]",
        ),
    ] = None,
    compare: Annotated[
        Compare | None, typer.Option("--compare", help="free: also run without the tag.")
    ] = None,
    endpoint: Annotated[
        str | None,
        typer.Option(
            "--endpoint",
            help="Ask an OpenAI-compatible server at this URL instead of a local model.",
        ),
    ] = None,
    field: Annotated[
        FieldName | None,
        typer.Option(
            "--for", help="Whose request field carries the tag to the server. [default: openai]"
        ),
    ] = None,
    api: Annotated[
        Api | None,
        typer.Option(
            "--api",
            help="chat and completions: send the tag, get raw text; tools: the server parses. "
            "[default: chat, or as --template and --for say]",
        ),
    ] = None,
    template: Annotated[
        str | None,
        typer.Option(
            "--template",
            help="Render the prompt here, for completions: a model's folder or a Jinja file.",
        ),
    ] = None,
    key_env: Annotated[
        str | None,
        typer.Option(
            "--key-env",
            help="The environment variable that holds the server's key. [default: OPENAI_API_KEY]",
        ),
    ] = None,
    retries: Annotated[
        int | None,
        typer.Option(
            "--retries", min=0, help="New tries where a busy server may yet answer. [default: 3]"
        ),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            "--timeout",
            min=0.001,
            max=86_400,
            help="Seconds to wait for the connection and between pieces. [default: 120]",
        ),
    ] = None,
    suite: Annotated[
        str | None,
        typer.Option(
            "--suite", help="Many requests: JSONL, a request and its expected calls a row."
        ),
    ] = None,
    results: Annotated[
        str | None,
        typer.Option(
            "--results", help="Where a suite's outputs are kept; a second run goes on from there."
        ),
    ] = None,
    report: Annotated[
        ReportName | None,
        typer.Option("--report", help="What a suite prints at its end. [default: text]"),
    ] = None,
    batch: Annotated[
        int | None,
        typer.Option("--batch", min=1, help="Requests of a suite that run at once. [default: 1]"),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only the first rows of a suite.")
    ] = None,
    show_prompt: Annotated[
        bool, typer.Option("--show-prompt", help="Print the prompt and stop.")
    ] = False,
    format: Annotated[
        GenerateFormat, typer.Option("--format", "-f", help="text for people, json for scripts.")
    ] = GenerateFormat.text,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write to this file instead of stdout.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the result.")] = False,
) -> None:
    """Generate under the tag, with a local model or on a server, and verify the output.

    Exit status 1 when a promise is broken: an output cut at the limit, refused by the tag,
    with arguments that violate the schema, or not what the request asks for.
    """
    from structag_cli.commands.inputs import load
    from structag_cli.commands.output import talk, write
    from structag_cli.generate.settings import DRAFT, Decoding

    served = ServedModel(
        url=endpoint,
        model=model,
        engine=None if field is None else field.value,
        api=None if api is None else api.value,
        template=template,
        key_env=key_env,
        retries=retries,
        timeout=timeout,
    )
    if endpoint is None:
        served.refuse_without_endpoint()
    else:
        refuse_local(
            {
                "--device": device,
                "--dtype": dtype,
                "--engine": engine,
                "--draft": draft,
                "--jump-forward" if jump_forward else "--no-jump-forward": jump_forward,
                "--compare": compare,
            }
        )
    _refuse_endless({"--temperature": temperature, "--top-p": top_p, "--timeout": timeout})
    settings = Decoding(
        max_new_tokens=max_new_tokens,
        temperature=temperature,
        top_p=top_p,
        seed=seed,
        jump_forward=True if jump_forward is None else jump_forward,
        draft=DRAFT if draft is None else draft,
        stop=_stop_texts(stop),
    )
    if draft is not None and engine is not None and engine.value == "hf":
        raise UsageError("--engine hf drafts nothing", mend="drop --draft")
    local = LocalModel(
        name="smollm2" if model is None else model,
        device=device or "auto",
        dtype=dtype or "auto",
        engine="loop" if engine is None else engine.value,
    )
    if suite is not None:
        from structag_cli.commands.suite import Plan, run

        if prompt or messages or show_prompt or compare or flags.request:
            raise UsageError(
                "--suite brings its own messages",
                mend="drop --prompt, --messages, --request, --show-prompt and --compare",
            )
        as_json = format is GenerateFormat.json
        if as_json and report not in (None, ReportName.json):
            raise UsageError("--format json and another --report", mend="drop one of them")
        plan = Plan(
            path=suite,
            results=results,
            report="json" if as_json else (report or ReportName.text).value,
            batch=batch or 1,
            limit=limit,
            outputs=count,
            local=local,
            server=None if endpoint is None else served,
            ban_mode=ban_mode.value,
        )
        run(flags, plan, settings, output, quiet=quiet)
        return
    _refuse_without_suite(results=results, report=report, batch=batch, limit=limit)
    inputs = load(flags, needs_tools=flags.request is None)
    _add_messages(inputs, flags.request, prompt, messages)
    inputs.say_warnings(quiet=quiet)
    say = lambda text: talk(text, quiet=quiet)  # noqa: E731
    live = format is GenerateFormat.text and output is None and sys.stdout.isatty()
    task = Task(inputs, settings, ban_mode.value, count, live, say)
    answering = local if endpoint is None else served
    if show_prompt:
        write(answering.prompt(task), output)
        return
    made = answering.run(task)
    free = local.free(task) if compare is not None else None
    if format is GenerateFormat.json:
        write(outputs_json(made, free), output)
    else:
        write(outputs_text(made, free, printed=live), output)
    if any(result.broken for result in made):
        raise typer.Exit(int(ExitCode.FAILED))


def _refuse_without_suite(**given: object) -> None:
    for name, value in given.items():
        if value is not None:
            raise UsageError(f"--{name} is for suites", mend="add --suite FILE, or drop it")


def _stop_texts(given: list[str] | None) -> tuple[str, ...]:
    if "" in (given or ()):
        raise UsageError("--stop is empty", mend="give the text before which to stop")
    return tuple(given or ())


def _refuse_endless(options: dict[str, float | None]) -> None:
    """Refuse ``nan`` and ``inf``, which pass for numbers on a command line."""
    for name, value in options.items():
        if value is not None and not math.isfinite(value):
            raise UsageError(f"{name} {value} is not a number", mend="a finite one")


def _add_messages(
    inputs: Inputs, request: str | None, prompt: str | None, messages: str | None
) -> None:
    from dataclasses import replace

    from structag_cli.dialects.messages import chat_messages, check_messages
    from structag_cli.sources import read_document

    found = inputs.request.messages
    where = Place(request or "-").child("messages")
    if messages is not None:
        document = read_document(messages)
        inputs.documents.append(document)
        where = document.place
        found = chat_messages({"messages": document.value}, document.place)
    try:
        check_messages(found, where)
    except InputError as err:
        raise InputError(err.message, place=inputs.locate(err.place), mend=err.mend) from None
    if prompt is not None:
        found = (*found, {"role": "user", "content": prompt})
    if not found:
        raise UsageError("nothing to answer", mend="--prompt TEXT, --messages or --request FILE")
    inputs.request = replace(inputs.request, messages=found)
