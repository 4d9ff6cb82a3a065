"""``structag generate``: a local model under the tag, and what came of it."""

from __future__ import annotations

import json
import os
import sys
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from structag_cli.commands.options import RequestFlags, with_request_flags
from structag_cli.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from structag_cli.commands.inputs import Inputs
    from structag_cli.generate.result import Generation
    from structag_cli.generate.run import Generator, Job
    from structag_cli.generate.settings import Decoding


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


@with_request_flags
def generate(
    flags: RequestFlags,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            "-m",
            help="A folder, a .gguf file, a cached hub id, smollm2, or random:TOKENIZER.",
        ),
    ] = "smollm2",
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
    count: Annotated[int, typer.Option("--n", "-n", min=1, help="How many outputs.")] = 1,
    device: Annotated[
        str, typer.Option("--device", help="auto, cpu, cuda, cuda:N or mps.")
    ] = "auto",
    dtype: Annotated[
        str, typer.Option("--dtype", help="auto, float32, bfloat16 or float16.")
    ] = "auto",
    jump_forward: Annotated[
        bool, typer.Option("--jump-forward/--no-jump-forward", help="Do not sample forced text.")
    ] = True,
    draft: Annotated[
        int, typer.Option("--draft", min=0, help="Tokens guessed ahead and verified in one pass.")
    ] = 32,
    ban_mode: Annotated[
        BanMode,
        typer.Option(
            "--ban-mode", help="On tool choice none: ban tokens, as Dynamo does, or strings."
        ),
    ] = BanMode.token,
    engine: Annotated[
        EngineName,
        typer.Option("--engine", help="hf: model.generate with xgrammar's logits processor."),
    ] = EngineName.loop,
    compare: Annotated[
        Compare | None, typer.Option("--compare", help="free: also run without the tag.")
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
        ReportName, typer.Option("--report", help="What a suite prints at its end.")
    ] = ReportName.text,
    batch: Annotated[
        int, typer.Option("--batch", min=1, help="Requests of a suite that are decoded at once.")
    ] = 1,
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
    """Generate with a local model under the tag, and verify the output.

    Exit status 1 when a promise is broken: an output cut at the limit, refused by the tag,
    with arguments that violate the schema, or not what the request asks for.
    """
    from structag_cli.commands.inputs import load
    from structag_cli.commands.jobs import job_of
    from structag_cli.commands.output import talk, write
    from structag_cli.generate.settings import Decoding

    settings = Decoding(
        max_new_tokens=max_new_tokens,
        temperature=temperature,
        top_p=top_p,
        seed=seed,
        jump_forward=jump_forward,
        draft=draft,
    )
    if suite is not None:
        from structag_cli.commands.suite import Plan, run

        if prompt or messages or show_prompt or compare or flags.request:
            raise UsageError(
                "--suite brings its own messages",
                mend="drop --prompt, --messages, --request, --show-prompt and --compare",
            )
        as_json = format is GenerateFormat.json
        plan = Plan(
            path=suite,
            results=results,
            report="json" if as_json else report.value,
            batch=batch,
            limit=limit,
            outputs=count,
            model=model,
            device=device,
            dtype=dtype,
            engine=engine.value,
            ban_mode=ban_mode.value,
        )
        run(flags, plan, settings, output, quiet=quiet)
        return
    from structag_cli.generate.models import load_model
    from structag_cli.generate.run import Generator

    inputs = load(flags, needs_tools=flags.request is None)
    _add_messages(inputs, prompt, messages)
    inputs.say_warnings(quiet=quiet)
    say = lambda text: talk(text, quiet=quiet)  # noqa: E731
    loaded = load_model(model, device=device, dtype=dtype, say=say)
    job = job_of(inputs, loaded.chat_template, ban_mode.value, say)
    generator = Generator(loaded)
    if show_prompt:
        write(job.prompt, output)
        return
    live = format is GenerateFormat.text and output is None and sys.stdout.isatty()
    made = _run(generator, job, settings, count, engine.value, live)
    free = _free(generator, job, settings, engine.value) if compare is not None else None
    if format is GenerateFormat.json:
        write(_json(made, free), output)
    else:
        write(_text(made, free, printed=live), output)
    if any(result.broken for result in made):
        raise typer.Exit(int(ExitCode.FAILED))


def _add_messages(inputs: Inputs, prompt: str | None, messages: str | None) -> None:
    from dataclasses import replace

    from structag_cli.dialects.messages import chat_messages
    from structag_cli.sources import read_document

    found = inputs.request.messages
    if messages is not None:
        document = read_document(messages)
        found = chat_messages({"messages": document.value}, document.place)
    if prompt is not None:
        found = (*found, {"role": "user", "content": prompt})
    if not found:
        raise UsageError("nothing to answer", mend="--prompt TEXT, --messages or --request FILE")
    inputs.request = replace(inputs.request, messages=found)


def _run(
    generator: Generator, job: Job, settings: Decoding, count: int, engine: Any, live: bool
) -> list[Generation]:
    color = live and not os.environ.get("NO_COLOR")
    results: list[Generation] = []
    for stream in range(count):
        results += generator.generate(
            [job],
            settings,
            on_token=_printer(generator, color) if live and engine == "loop" else None,
            streams=[stream],
            engine=engine,
        )
        if live:
            print("\n")
    return results


def _printer(generator: Generator, color: bool) -> Any:
    """Prints tokens as they come; bytes wait until they are whole characters."""
    import codecs

    from structag_cli.generate.render import piece

    decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def show(_row: object, token: int, kind: str) -> None:
        text = decoder.decode(generator.tokens.piece(token))
        sys.stdout.write(piece(text, kind) if color else text)
        sys.stdout.flush()

    return show


def _free(generator: Generator, job: Job, settings: Decoding, engine: Any) -> Generation:
    from dataclasses import replace

    return generator.generate([replace(job, tag=None)], settings, engine=engine)[0]


def _json(results: list[Generation], free: Generation | None) -> str:
    values = [result.to_json() for result in results]
    value: Any = values[0] if len(values) == 1 else {"version": 1, "outputs": values}
    if free is not None:
        value = {**value, "free": free.to_json()}
    return json.dumps(value, ensure_ascii=False, indent=2)


def _text(results: list[Generation], free: Generation | None, *, printed: bool) -> str:
    from structag_cli.generate.render import report

    parts = [
        report(result) if printed else f"{result.text}\n\n{report(result)}" for result in results
    ]
    if free is not None:
        parts.append(f"--- without the tag\n{free.text}\n\n{report(free)}")
    return "\n\n".join(parts)
